import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { fillForm, openForm } from '../journeys/form.ts';
import { outageLines } from '../journeys/outage-lines.ts';
import { startWorld } from '../journeys/world.ts';
import { isReachable } from '../store/stores-under-test.ts';
import { databaseForTest } from './database-for-test.ts';
import { freshDatabase } from './fresh-database.ts';
import { openForTest } from './postgres-stores.ts';
import { startPostgres } from './server.ts';

type Connected = ReturnType<typeof openForTest>;

async function processOf(db: Connected): Promise<number | undefined> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  return rows[0]?.pid;
}

/** Lets the server answer a statement with an error of this code. */
const failWith = (code: string) =>
  sql.raw(`do $$ begin raise exception using errcode = '${code}'; end $$`);

it.each([
  ['08000', 'connection_exception'],
  ['08006', 'connection_failure'],
  ['08P01', 'protocol_violation, which poolers answer with'],
  ['25006', 'read_only_sql_transaction'],
  ['40001', 'serialization_failure, of a read in conflict with recovery'],
  ['53100', 'disk_full'],
  ['57P01', 'admin_shutdown'],
  ['57P02', 'crash_shutdown'],
  ['57P03', 'cannot_connect_now'],
  ['57P05', 'idle_session_timeout'],
  ['58030', 'io_error'],
  ['XX000', 'internal_error'],
])('an error of the server (%s, %s) ends the connection', async (code) => {
  const db = openForTest(await databaseForTest({ isMigrated: true }));
  const before = await processOf(db);
  await expect(failWith(code).execute(db)).rejects.toMatchObject({ code });
  expect(await processOf(db)).not.toBe(before);
});

it.each([
  ['22012', 'division_by_zero'],
  ['23505', 'unique_violation'],
  ['40P01', 'deadlock_detected'],
  ['42P01', 'undefined_table'],
  ['55P03', 'lock_not_available'],
  ['57014', 'query_canceled'],
])('an error of the statement (%s, %s) doesn’t', async (code) => {
  const db = openForTest(await databaseForTest({ isMigrated: true }));
  const before = await processOf(db);
  await expect(failWith(code).execute(db)).rejects.toMatchObject({ code });
  expect(await processOf(db)).toBe(before);
});

it('one error of the server also ends the connections that are unused', async () => {
  const db = openForTest(await databaseForTest({ isMigrated: true }));
  const pids = () =>
    Promise.all(
      [1, 2, 3].map(async () => {
        const { rows } = await sql<{
          pid: number;
        }>`select pg_backend_pid() as pid, pg_sleep(0.1)`.execute(db);
        return rows[0]?.pid;
      }),
    );
  const before = await pids();
  await expect(failWith('25006').execute(db)).rejects.toThrow();
  for (const pid of await pids()) expect(before).not.toContain(pid);
});

it('after a failover the same process writes again, and isn’t ready in between', async () => {
  const server = await startPostgres();
  onTestFinished(server.stop);
  const { url, name } = await freshDatabase(server.url);
  const world = await startWorld({ env: { DATABASE_URL: url } });
  const { acme, ann, general, slack, app } = world;
  const me = acme.as(ann);
  await openForm(world, me);
  await fillForm(world, me);
  const readiness = async () => (await fetch(`${app.url}/readyz`)).status;
  expect(await readiness()).toBe(200);

  // Every open connection is now to a server that only allows reading, as after a failover that breaks none.
  const operator = openForTest(`${server.url}/postgres`);
  await sql`alter system set default_transaction_read_only = on`.execute(operator);
  await sql`select pg_reload_conf()`.execute(operator);
  await expect.poll(readiness).toBe(503);
  expect((await me.submit()).outcome).toBe('errors');

  // The name now leads to the new primary: only new connections can write.
  const primary = openForTest(`${server.url}/postgres`);
  await primary.transaction().execute(async (tx) => {
    await sql`set transaction read write`.execute(tx);
    await sql`alter database ${sql.id(name)} set default_transaction_read_only = off`.execute(tx);
  });
  await expect.poll(readiness).toBe(200);
  expect(await isReachable(openForTest(url))).toBe(true);
  expect((await me.submit()).outcome).toBe('updated');
  await slack.until(
    () => acme.messages(general).find(({ botId }) => botId),
    'the confirmation',
    15_000,
  );
  await expect
    .poll(() => outageLines(world), { timeout: 15_000 })
    .toEqual([
      expect.stringMatching(/^the database in DATABASE_URL can’t be used.*read-only standby/),
      'the database in DATABASE_URL can be used again',
    ]);
}, 60_000);
