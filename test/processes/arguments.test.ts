import { expect, it } from 'vitest';
import { COMMANDS } from '../../src/commands/commands.ts';
import { runCommand, runEntry } from './entry.ts';

it.each(COMMANDS)(
  'npm run app -- $name shows its usage, and refuses unknown options',
  async ({ name, does, app }) => {
    const help = runCommand(name, { args: ['--help'] });
    const refused = runCommand(name, { args: ['--nonsense'] });
    expect(await help.ended).toEqual({ code: 0, signal: null });
    expect(help.stdout()).toMatch(new RegExp(`^Usage: npm run app -- ${name}`));
    expect(help.stdout()).toContain(`${does}. The app ${app}.`);
    expect(help.stderr()).toBe('');
    expect(await refused.ended).toEqual({ code: 2, signal: null });
    expect(refused.stderr()).toMatch(
      new RegExp(`^Unknown option '--nonsense'\\.\n\nUsage: npm run app -- ${name}`),
    );
  },
);

it.each([[[]], [['--help']], [['-h']]])('npm run app with %j lists every command', async (args) => {
  const list = runEntry('dist/app.js', { args });
  expect(await list.ended).toEqual({ code: 0, signal: null });
  expect(list.stdout()).toMatch(/^Usage: npm run app -- COMMAND/);
  for (const { name, app, does } of COMMANDS) {
    const line = list
      .stdout()
      .split('\n')
      .find((one) => one.startsWith(`  ${name} `));
    expect(line).toContain(app);
    expect(line).toContain(does);
  }
});

it('npm run app says that there is no such command, and lists those that there are', async () => {
  const refused = runCommand('backups');
  expect(await refused.ended).toEqual({ code: 2, signal: null });
  expect(refused.stderr()).toMatch(
    /^There is no command 'backups'\.\n\nUsage: npm run app -- COMMAND/,
  );
});

it.each([
  ['faults', ['--runs', 'many'], '--runs must be a whole number from 1'],
  ['replicas', ['--replicas', '0'], '--replicas must be numbers'],
  ['crash', ['--seed', '-1'], 'Option'],
  ['bench', ['--rounds', '0'], '--rounds must be a whole number from 1'],
])('npm run tool -- %s says what is wrong with %j', async (name, args, problem) => {
  const refused = runEntry('test/tool.ts', { args: [name, ...args] });
  expect(await refused.ended).toEqual({ code: 2, signal: null });
  expect(refused.stderr()).toContain(problem);
  expect(refused.stderr()).toContain(`Usage: npm run tool -- ${name}`);
});

it.each([
  ['restore', ['monday.db', 'tuesday.db'], "Unexpected argument 'tuesday.db'."],
  ['backup', [], 'The argument <file> is missing.'],
  ['move', [], 'Either --to or --from is needed.'],
  ['setup', ['--mode', 'smtp'], '--mode must be socket or http.'],
  ['doctor', ['clock', 'clocks'], "There is no check 'clocks'."],
  ['jobs', ['--state', 'waiting'], '--state must be one or more of ready, running, failed, done.'],
  ['jobs', ['--older-than', '3'], '--older-than must be a number with s, m, h, or d, as in 2h.'],
  ['jobs', ['requests', 'it'], "'it' is no reference of a request, such as DR-2DPXX9VK."],
  ['jobs', ['drop', 'it'], 'drop needs the ID of a job, which is a number.'],
])('npm run app -- %s says what is wrong with %j', async (name, args, problem) => {
  const refused = runCommand(name, { args });
  expect(await refused.ended).toEqual({ code: 2, signal: null });
  expect(refused.stderr()).toContain(`${problem}\n\nUsage: npm run app -- ${name}`);
});

it.each([
  ['backup', ['copy.db'], '1 setting needs'],
  ['restore', ['copy.db'], '1 setting needs'],
  ['move', ['--to', 'postgres://ada@127.0.0.1/requests'], '1 setting needs'],
  // And ENCRYPTION_KEYS.
  ['rotate-keys', [], '2 settings need'],
])('npm run app -- %s needs no settings of Slack or of the service', async (name, args, count) => {
  const refused = runCommand(name, { args, env: { DATABASE_URL: 'mysql://127.0.0.1/requests' } });
  expect(await refused.ended).toEqual({ code: 1, signal: null });
  expect(refused.stderr()).toMatch(
    new RegExp(`^This command can't run: ${count} attention\\.\n\n  DATABASE_URL must be`),
  );
});
