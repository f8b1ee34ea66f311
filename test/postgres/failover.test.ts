import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { fillForm, openForm } from '../journeys/form.ts';
import { scrape } from '../journeys/metrics.ts';
import { outageLines } from '../journeys/outage-lines.ts';
import { startWorld } from '../journeys/world.ts';
import { isReachable } from '../store/stores-under-test.ts';
import { databaseForTest } from './database-for-test.ts';
import { freshDatabase } from './fresh-database.ts';
import { openForTest } from './postgres-stores.ts';
import { startPostgres } from './server.ts';

type Connected = ReturnType<typeof openForTest>;

const LONG_MS = 15_000;

async function processOf(db: Connected, seconds = 0): Promise<number | undefined> {
  const { rows } = await sql<{
    pid: number;
  }>`select pg_backend_pid() as pid, pg_sleep(${seconds})`.execute(db);
  return rows[0]?.pid;
}

/** Lets the server answer a statement with an error of this code. */
const failWith = (code: string) =>
  sql.raw(`do $$ begin raise exception using errcode = '${code}'; end $$`);

it.each([
  ['08P01', 'protocol_violation, which poolers answer with', true],
  ['25006', 'read_only_sql_transaction', true],
  ['40001', 'serialization_failure, of a read in conflict with recovery', true],
  ['53100', 'disk_full', true],
  ['57P01', 'admin_shutdown', true],
  ['58030', 'io_error', true],
  ['XX000', 'internal_error', true],
  ['22012', 'division_by_zero', false],
  ['23505', 'unique_violation', false],
  ['40P01', 'deadlock_detected', false],
  ['42P01', 'undefined_table', false],
  ['55P03', 'lock_not_available', false],
  ['57014', 'query_canceled', false],
])(
  'an error of the server ends the connection, one of the statement doesn’t: %s, %s',
  async (code, _name, ends) => {
    const db = openForTest(await databaseForTest({ isMigrated: true }));
    const before = await processOf(db);
    await expect(failWith(code).execute(db)).rejects.toMatchObject({ code });
    expect((await processOf(db)) !== before).toBe(ends);
  },
);

it('one error of the server also ends the connections that are unused', async () => {
  const db = openForTest(await databaseForTest({ isMigrated: true }));
  const pids = () => Promise.all([1, 2, 3].map(() => processOf(db, 0.1)));
  const before = await pids();
  await expect(failWith('25006').execute(db)).rejects.toThrow();
  for (const pid of await pids()) expect(before).not.toContain(pid);
});

/** The app with a Postgres of its own, and someone who has filled in a form. */
async function startWithForm() {
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
  return {
    ...world,
    server,
    url,
    name,
    me,
    readiness,
    /** The same process works again, and has logged the outage once, for this reason. */
    async expectToContinue(reason: RegExp) {
      await expect.poll(readiness).toBe(200);
      expect((await me.submit()).outcome).toBe('updated');
      const confirmation = () => acme.messages(general).find(({ botId }) => botId);
      await slack.until(confirmation, 'the confirmation', LONG_MS);
      await expect
        .poll(() => outageLines(world), { timeout: LONG_MS })
        .toEqual([expect.stringMatching(reason), 'the database in DATABASE_URL can be used again']);
    },
  };
}

it('while Postgres is down nothing is acknowledged, and afterwards the same process continues', async () => {
  const { me, server, url, general, slack, service, app, ...world } = await startWithForm();
  await server.down();
  await me.command(general, '/design-request');
  await expect.poll(world.readiness).toBe(503);
  // The metrics still come, without what only the database knows.
  const scraped = await scrape(app);
  expect(scraped.text).not.toContain('design_request_requests{');
  expect((await scrape(app)).value('database_errors_total', { step: 'connect' })).toBeGreaterThan(
    0,
  );
  const refused = await me.submit();
  expect(refused.outcome).toBe('errors');
  expect(JSON.stringify(refused.errors)).toMatch(/couldn’t save your request.*Nothing is lost/);
  const [card] = service.cards.all();
  const message = await me.post(general, world.cardUrl(card?.id ?? ''));
  await slack.idle();
  const link = slack.deliveries.findLast(({ kind }) => kind === 'event');
  expect(link?.acknowledged).toBe(false);
  expect(service.calls({ operation: 'createCard' })).toEqual([]);

  await server.up();
  // Jobs, the lease, and everyone's forms have failed meanwhile, with one line in all. The first to notice may meet
  // the end of its connection, or Postgres while it is stopping.
  await world.expectToContinue(
    /^the database in DATABASE_URL can’t be used.*127\.0\.0\.1:\d+\/\w+ can't be used: \w/,
  );
  // Slack retries the event.
  if (link) await slack.redeliver(link);
  await slack.until(() => message.attachments[0], 'the unfurl', LONG_MS);
  expect(service.calls({ operation: 'createCard' })).toHaveLength(1);
  expect(world.logLines.filter((line) => line.includes('"ref":"E-'))).not.toEqual([]);
  const { password } = new URL(url);
  for (const hidden of ['"stack"', password])
    expect(world.logLines.filter((line) => line.includes(hidden))).toEqual([]);
}, 120_000);

it('after a failover the same process writes again, and isn’t ready in between', async () => {
  const { me, server, url, name, readiness, expectToContinue } = await startWithForm();
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
  expect(await isReachable(openForTest(url))).toBe(true);
  await expectToContinue(/^the database in DATABASE_URL can’t be used.*read-only standby/);
}, 120_000);
