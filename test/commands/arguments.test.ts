import { expect, it, onTestFinished, vi } from 'vitest';
import { COMMANDS } from '../../src/commands/commands.ts';
import { UsageError } from '../../src/commands/read-arguments.ts';
import { ConfigError } from '../../src/config/config-error.ts';

const run = async (name: string, args: string[]) => {
  const command = COMMANDS.find((one) => one.name === name);
  return command?.run(args);
};

it.each(COMMANDS)(
  '$name has a usage, and knows its options',
  async ({ name, does, app, usage }) => {
    expect(usage).toMatch(new RegExp(`^npm run app -- ${name}\\b`));
    expect(usage).toContain(`${does}. The app ${app}.`);
    await expect(run(name, ['--nonsense'])).rejects.toThrow(
      new UsageError("Unknown option '--nonsense'."),
    );
  },
);

it.each([
  ['restore', ['monday.db', 'tuesday.db'], "Unexpected argument 'tuesday.db'."],
  ['backup', [], 'The argument <file> is missing.'],
  ['move', [], 'Either --to or --from is needed.'],
  ['setup', ['--mode', 'smtp'], '--mode must be socket or http.'],
  ['doctor', ['clock', 'clocks'], "There is no check 'clocks'."],
  ['jobs', ['--state', 'waiting'], '--state must be one or more of ready, running, failed, done.'],
  ['jobs', ['--limit', 'all'], '--limit must be a number from 1 to 999999.'],
  ['jobs', ['requests', 'it'], "'it' is not the reference of a request, such as DR-2DPXX9VK."],
  ['jobs', ['drop', 'it'], 'drop needs the ID of a job, which is a number.'],
])('%s says what is wrong with %j', async (name, args, problem) => {
  await expect(run(name, args)).rejects.toThrow(new UsageError(problem));
});

it.each([
  ['backup', ['copy.db'], '1 setting needs'],
  ['restore', ['copy.db'], '1 setting needs'],
  ['move', ['--to', 'postgres://ada@127.0.0.1/requests'], '1 setting needs'],
  // And ENCRYPTION_KEYS.
  ['rotate-keys', [], '2 settings need'],
])('%s needs no settings of Slack or of the service', async (name, args, count) => {
  vi.stubEnv('DATABASE_URL', 'mysql://127.0.0.1/requests');
  onTestFinished(() => void vi.unstubAllEnvs());
  const refused = await run(name, args).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ConfigError);
  expect(String(refused)).toMatch(
    new RegExp(`This command can't run: ${count} attention\\.\n\n  DATABASE_URL must be`),
  );
});

it.each([
  ['move', ['--to', 'sqlite:elsewhere.db'], 'only moves from SQLite to Postgres'],
  ['move', ['--to', 'postgres://u:hunter2@h'], '--to must name a host and a database'],
  ['move', ['--from', 'postgres://u:hunter2@h/d'], 'only moves from SQLite to Postgres'],
])('%s %j is refused without the password', async (name, args, words) => {
  vi.stubEnv('DATABASE_URL', 'sqlite:/nowhere/app.db');
  onTestFinished(() => void vi.unstubAllEnvs());
  const refused = await run(name, args).catch((error: unknown) => error);
  expect(String(refused)).toContain(words);
  expect(String(refused)).not.toContain('hunter2');
});

it('backup leaves Postgres to its own tools', async () => {
  vi.stubEnv('DATABASE_URL', 'postgres://ada:hunter2@127.0.0.1:1/requests');
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(run('backup', ['copy.db'])).rejects.toThrow('pg_dump');
});

it('doctor --list lists its checks', async () => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => written.mockRestore());
  await run('doctor', ['--list']);
  expect(written.mock.calls.join('')).toMatch(/^keyring +database +ENCRYPTION_KEYS has every key/m);
});
