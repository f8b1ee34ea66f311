import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { migrateDatabase } from '../../src/store/database.ts';
import { fillForm, openForm } from '../journeys/form.ts';
import { startWorld } from '../journeys/world.ts';
import { databaseForTest } from './database-for-test.ts';
import { openPooler } from './pooler.ts';
import { openForTest } from './postgres-stores.ts';

async function pooled(options: { isMigrated: boolean }) {
  const direct = await databaseForTest(options);
  const url = new URL(direct);
  const pooler = await openPooler(Number(url.port));
  url.port = String(pooler.port);
  return { pooler, direct, url: url.href };
}

describe('behind a pooler in transaction mode', () => {
  it('the app migrates, starts, and sends a request, and leaves nothing behind for others', async () => {
    const { pooler, url } = await pooled({ isMigrated: false });
    await migrateDatabase({ url });
    const world = await startWorld({ env: { DATABASE_URL: url } });
    const { acme, ann, general, slack, app, logLines } = world;
    const me = acme.as(ann);
    await openForm(world, me);
    await fillForm(world, me);
    expect((await me.submit()).outcome).toBe('updated');
    await slack.until(() => acme.messages(general).find(({ botId }) => botId), 'the confirmation');
    expect((await fetch(`${app.url}/readyz`)).status).toBe(200);
    expect(pooler.violations).toEqual([]);
    expect(pooler.used()).toBeGreaterThan(1);
    const [warning] = logLines.filter((line) => line.includes('ALTER ROLE'));
    expect(warning).toContain('statement_timeout');
  });

  it('nothing is logged once its user has these limits', async () => {
    const { direct, url } = await pooled({ isMigrated: true });
    const db = openForTest(direct);
    const name = sql.id(new URL(direct).pathname.slice(1));
    await sql`alter database ${name} set statement_timeout = '5s'`.execute(db);
    await sql`alter database ${name} set idle_in_transaction_session_timeout = '10s'`.execute(db);
    const { logLines } = await startWorld({ env: { DATABASE_URL: url } });
    expect(logLines.join()).not.toContain('ALTER ROLE');
  });
});

it('without a pooler, Postgres itself limits statements and abandoned transactions', async () => {
  const db = openForTest(await databaseForTest({ isMigrated: true }));
  const { rows } = await sql`select current_setting('statement_timeout') as statement,
    current_setting('idle_in_transaction_session_timeout') as idle`.execute(db);
  expect(rows).toEqual([{ statement: '5s', idle: '10s' }]);
});
