import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { T1 } from '../installations/ids.ts';
import { at, claimOne } from '../store/stores-under-test.ts';
import { openPostgresStores } from './postgres-stores.ts';

const JOBS = 60;
const REPLICAS = 4;
const LEASE_MS = 60_000;

describe('replicas that claim at the same time', () => {
  it('claim every job exactly once between them', async () => {
    const opened = await openPostgresStores();
    const tables = await Promise.all(
      Array.from({ length: REPLICAS }, async () => {
        const { replicas, jobTable } = await opened.openAgain();
        await replicas.renew(LEASE_MS);
        return jobTable;
      }),
    );
    await Promise.all(
      Array.from({ length: JOBS }, (_, job) =>
        opened.stores.jobTable.add({ kind: 'k', workspaceId: T1, payload: { job } }, at(0)),
      ),
    );
    const claimed = await Promise.all(
      tables.map(async (table) => {
        const ids: number[] = [];
        for (;;) {
          const some = await table.claim(at(0), JOBS);
          if (some.length === 0) return ids;
          for (const job of some) await table.finish(job, 'done', at(0));
          ids.push(...some.map(({ id }) => id));
        }
      }),
    );
    const all = claimed.flat();
    expect(new Set(all).size).toBe(JOBS);
    expect(all).toHaveLength(JOBS);
  });

  it('don’t wait for each other: jobs locked by another are skipped', async () => {
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
});
