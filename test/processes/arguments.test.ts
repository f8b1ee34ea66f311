import { expect, it } from 'vitest';
import { runEntry } from './entry.ts';

const COMMANDS = [
  ['setup', 'src/commands/setup.ts'],
  ['manifest', 'src/commands/manifest.ts'],
  ['doctor', 'dist/doctor.js'],
  ['jobs', 'dist/jobs.js'],
  ['migrate', 'dist/migrate.js'],
  ['keys:rotate', 'dist/keys-rotate.js'],
  ['move', 'dist/move.js'],
  ['backup', 'dist/backup.js'],
  ['restore', 'dist/restore.js'],
] as const;

it.each(COMMANDS)('npm run %s shows its usage, and refuses unknown options', async (name, file) => {
  const help = runEntry(file, { args: ['--help'] });
  const refused = runEntry(file, { args: ['--nonsense'] });
  expect(await help.ended).toEqual({ code: 0, signal: null });
  expect(help.stdout()).toMatch(new RegExp(`^Usage: npm run ${name}`));
  expect(help.stderr()).toBe('');
  expect(await refused.ended).toEqual({ code: 2, signal: null });
  expect(refused.stderr()).toMatch(
    new RegExp(`^Unknown option '--nonsense'\\.\n\nUsage: npm run ${name}`),
  );
});

it.each([
  [
    'test:faults',
    'test/faults/main.ts',
    ['--runs', 'many'],
    '--runs must be a whole number from 1',
  ],
  ['test:replicas', 'test/replicas/main.ts', ['--replicas', '0'], '--replicas must be numbers'],
  ['test:crash', 'test/crash/main.ts', ['--seed', '-1'], 'Option'],
  ['bench', 'test/bench/main.ts', ['--rounds', '0'], '--rounds must be a whole number from 1'],
])('npm run %s says what is wrong with %s %j', async (name, file, args, problem) => {
  const refused = runEntry(file, { args });
  expect(await refused.ended).toEqual({ code: 2, signal: null });
  expect(refused.stderr()).toContain(problem);
  expect(refused.stderr()).toContain(`Usage: npm run ${name}`);
});

it.each([
  ['restore', ['monday.db', 'tuesday.db'], "Unexpected argument 'tuesday.db'."],
  ['doctor', ['clock', 'clocks'], "There is no check 'clocks'."],
  ['jobs', ['--state', 'waiting'], '--state must be one or more of ready, running, failed, done.'],
  ['jobs', ['--older-than', '3'], '--older-than must be a number with s, m, h, or d, as in 2h.'],
  ['jobs', ['requests', 'it'], "'it' is no reference of a request, such as DR-2DPXX9VK."],
  ['jobs', ['drop', 'it'], 'drop needs the ID of a job, a number.'],
])('npm run %s says what is wrong with %j', async (name, args, problem) => {
  const refused = runEntry(`dist/${name}.js`, { args });
  expect(await refused.ended).toEqual({ code: 2, signal: null });
  expect(refused.stderr()).toContain(`${problem}\n\nUsage: npm run ${name}`);
});
