import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { prune } from '../../src/store/prune.ts';
import { T1, T2 } from '../installations/ids.ts';
import { fillJobs, fillRequests } from './plans/large-tables.ts';
import { newRequest } from './request-suite.ts';
import { at, type OpenStores, once } from './stores-under-test.ts';

/** Twenty batches, so that others can write in between even on a slow disk. */
const MANY = 5_200;
const YEAR = 365 * 24 * 3_600;

export function describeLargeDeletions(openStores: OpenStores): void {
  /** A large number of finished jobs and requests of T1. */
  async function openLarge() {
    const opened = await openStores();
    const rows = { count: MANY, workspaceId: sql<string>`'T1'`, at: at(0) };
    await fillJobs(opened.db, { ...rows, state: sql`'done'` });
    await fillRequests(opened.db, { ...rows, state: sql`'created'` });
    const count = async (table: 'jobs' | 'requests') =>
      Number(
        (
          await opened.db
            .selectFrom(table)
            .select(({ fn }) => fn.countAll().as('rows'))
            .where('workspaceId', '=', T1)
            .executeTakeFirstOrThrow()
        ).rows,
      );
    return { ...opened.stores, db: opened.db, count };
  }

  describe('deleting a large number of rows', () => {
    it.each<[string, (stores: Awaited<ReturnType<typeof openLarge>>) => Promise<unknown>]>([
      ['of an uninstalled workspace', ({ rows }) => rows.deleteAll(T1, undefined)],
      ['of old jobs and requests', ({ db }) => prune(db, at(YEAR))],
    ])('%s deletes all, and lets others write in between', async (_what, remove) => {
      const stores = await openLarge();
      // On Postgres, each of two statements at the same time opens a connection.
      const warmUp = ['A', 'B'].map((id) => stores.entries.takeOnce(once(T2, id), at(0)));
      await Promise.all(warmUp);
      let isOver = false;
      const removing = remove(stores).then(() => {
        isOver = true;
      });
      let written = 0;
      while (!isOver) {
        await stores.entries.takeOnce(once(T2, `U${written}`), at(0));
        written += 1;
        await new Promise(setImmediate);
      }
      await removing;
      expect(written).toBeGreaterThan(3);
      expect([await stores.count('jobs'), await stores.count('requests')]).toEqual([0, 0]);
    });

    it('stops if the app is installed again, and deletes nothing written since', async () => {
      const { rows, requests, jobTable, installations, count } = await openLarge();
      const removing = rows.deleteAll(T1, undefined);
      while ((await count('requests')) === MANY) await new Promise(setImmediate);
      await installations.save({ id: T1 }, at(1));
      await requests.add(newRequest('new'), at(1));
      const job = { kind: 'test', workspaceId: T1, payload: {}, identity: 'new' };
      await jobTable.add(job, at(1));
      await removing;
      expect((await requests.get(T1, 'new'))?.state).toBe('queued');
      expect(await jobTable.isPending('new')).toBe(true);
      // Requests are deleted first: if an old one is left, so is the job that sends it.
      const isRequestLeft = (await count('requests')) > 1;
      expect([isRequestLeft, await count('jobs')]).toSatisfy(
        ([isLeft, jobs]) => !isLeft || jobs === MANY + 1,
      );
    });
  });
}
