import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { T1 } from '../installations/ids.ts';
import { at, claimOne } from '../store/stores-under-test.ts';
import { openPostgresStores } from './postgres-stores.ts';

const LEASE_MS = 60_000;

it('replicas that claim at the same time don’t wait for each other: jobs locked by another are skipped', async () => {
  const { stores, db } = await openPostgresStores();
  await stores.replicas.renew(LEASE_MS);
  for (const job of [1, 2]) {
    await stores.jobTable.add({ kind: 'k', workspaceId: T1, payload: { job } }, at(0));
  }
  await db.transaction().execute(async (tx) => {
    await sql`select id from jobs order by id limit 1 for update`.execute(tx);
    expect((await claimOne(stores.jobTable, at(0)))?.payload).toEqual({ job: 2 });
    expect(await claimOne(stores.jobTable, at(0))).toBeUndefined();
  });
  expect((await claimOne(stores.jobTable, at(0)))?.payload).toEqual({ job: 1 });
});
