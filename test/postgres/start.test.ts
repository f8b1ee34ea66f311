import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startApp } from '../../src/app.ts';
import { createLog } from '../../src/ops/logging.ts';
import type { WrapDialect } from '../../src/store/database.ts';
import { gatedDialect } from '../crash/process/gated-dialect.ts';
import { fillForm, openForm } from '../journeys/form.ts';
import { startWorld, type World } from '../journeys/world.ts';
import { databaseForTest } from './database-for-test.ts';
import { openForTest } from './postgres-stores.ts';

/** Every different statement fails the first time that it runs, until `end` is called. */
function failingOnce(error: Error) {
  const failed = new Set<string>();
  let hasEnded = false;
  const wrapDialect: WrapDialect = (dialect) =>
    gatedDialect(dialect, async ({ when, sql }) => {
      if (hasEnded || when === 'after' || sql === 'rollback' || failed.has(sql)) return;
      failed.add(sql);
      throw error;
    });
  return {
    failed,
    end() {
      hasEnded = true;
    },
    wrapDialect,
  };
}

/** Starts another replica of the app, or the first. */
async function start(
  { config, logLines }: World,
  { url, apiKey, wrapDialect }: { url?: string; apiKey?: string; wrapDialect?: WrapDialect },
) {
  const app = await startApp(
    {
      ...config,
      database: url === undefined ? config.database : { url },
      designApi: { ...config.designApi, apiKey },
    },
    {
      log: createLog({
        level: 'debug',
        destination: { write: (line) => void logLines.push(line) },
      }),
      ...(wrapDialect ? { wrapDialect } : {}),
      leaveRotationMs: 0,
    },
  );
  onTestFinished(app.stop);
  return app;
}

const errorWith = (code: string) => Object.assign(new Error('not now'), { code });

describe('a start survives temporary failures:', () => {
  it('an insert of the same key that another replica has not committed for longer than a statement may take', async () => {
    const world = await startWorld({ connected: false });
    const url = await databaseForTest({ isMigrated: true });
    const other = openForTest(url);
    const { id } = world.acme;
    const blocking = await other.startTransaction().execute();
    await sql`insert into api_keys (workspace_id, state, changed_at) values (${id}, 'active', 1)`.execute(
      blocking,
    );
    // Instead of the app's 5 s for a statement.
    await sql`alter database ${sql.table(new URL(url).pathname.slice(1))} set lock_timeout = '100ms'`.execute(
      other,
    );
    const starting = start(world, { url, apiKey: world.service.apiKey });
    const refused = () => world.logLines.filter((line) => line.includes('55P03')).length;
    await expect.poll(refused).toBe(1);
    await blocking.rollback().execute();
    await starting;
    expect(await other.selectFrom('api_keys').select('state').execute()).toEqual([
      { state: 'active' },
    ]);
  });

  it.each([
    ['a deadlock', errorWith('40P01')],
    ['a lost connection', new Error('Connection terminated unexpectedly')],
  ])('%s at every statement', async (_, error) => {
    const world = await startWorld();
    const { acme, ann, service, slack, app: before } = world;
    service.faults.add({ kind: 'rate-limited', operation: 'createCard', retryAfter: 3_600 });
    await openForm(world, acme.as(ann));
    await fillForm(world, acme.as(ann));
    await acme.as(ann).submit();
    await expect.poll(() => service.calls({ operation: 'createCard' }).length).toBe(1);
    await before.stop();
    service.faults.clear();
    // As if nothing but a request that waits to be sent had been stored.
    const { database } = world.config;
    const db = openForTest('url' in database ? database.url : '');
    for (const table of ['jobs', 'budgets', 'api_keys'] as const)
      await db.deleteFrom(table).execute();
    await db.updateTable('requests').set({ problem: null }).execute();
    const { wrapDialect, failed, end } = failingOnce(error);
    const app = await start(world, { apiKey: service.apiKey, wrapDialect });
    end();
    slack.connect(`${app.url}/slack/events`);
    expect([...failed].filter((one) => one.includes('api_keys'))).not.toEqual([]);
    expect([...failed].filter((one) => one.includes('replicas'))).not.toEqual([]);
    await expect.poll(() => service.calls({ operation: 'createCard' }).length).toBe(2);
  });
});
