import { expect, it } from 'vitest';
import { COMMANDS } from '../../src/commands/commands.ts';
import { runCommand, runEntry } from './entry.ts';

it('npm run app -- backup --help shows its usage', async () => {
  const help = runCommand('backup', { args: ['--help'] });
  expect(await help.ended).toEqual({ code: 0, signal: null });
  expect(help.stdout()).toMatch(/^Usage: npm run app -- backup <file>\n\nCopies .* may run\.\n/);
  expect(help.stderr()).toBe('');
});

it('npm run app lists every command', async () => {
  const list = runEntry('dist/app.js');
  expect(await list.ended).toEqual({ code: 0, signal: null });
  expect(list.stdout()).toMatch(/^Usage: npm run app -- COMMAND/);
  const lines = list.stdout().split('\n');
  for (const { name, app, does } of COMMANDS) {
    const line = lines.find((one) => one.startsWith(`  ${name} `));
    expect(line).toContain(app);
    expect(line).toContain(does);
  }
});

it.each([
  ['backups', [], "There is no command 'backups'.", 'COMMAND'],
  ['jobs', ['--nonsense'], "Unknown option '--nonsense'.", 'jobs'],
])(
  'npm run app -- %s %j says what is wrong, with the usage',
  async (name, args, problem, usage) => {
    const refused = runCommand(name, { args });
    expect(await refused.ended).toEqual({ code: 2, signal: null });
    expect(refused.stderr()).toContain(`${problem}\n\nUsage: npm run app -- ${usage}`);
  },
);

it('npm run tool says what is wrong, with the usage', async () => {
  const refused = runEntry('test/tool.ts', { args: ['alerts', 'all'] });
  expect(await refused.ended).toEqual({ code: 2, signal: null });
  expect(refused.stderr()).toContain("Unexpected argument 'all'.");
  expect(refused.stderr()).toContain('Usage: npm run tool -- alerts');
});
