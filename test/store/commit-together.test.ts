import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commitTogether } from '../../src/store/commit-together.ts';
import { createJobStore } from '../../src/store/jobs.ts';
import { T1 } from '../installations/ids.ts';
import { temporaryDatabase } from './sqlite-files.ts';

describe('committing together', () => {
  it('stores each identity once, arriving together or later, and keeps each job unchanged', async () => {
    const { db } = await temporaryDatabase();
    const identities = fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { nil: undefined });
    const batches = fc.array(fc.array(identities, { minLength: 1, maxLength: 6 }), {
      maxLength: 4,
    });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(batches, async (together) => {
        runs += 1;
        const jobs = createJobStore(db);
        const kept: { identity: string | undefined; payload: string }[] = [];
        for (const [batch, names] of together.entries()) {
          const all = names.map((name, index) => ({
            identity: name === undefined ? undefined : `${runs}/${name}`,
            payload: { at: `${runs}/${batch}/${index}` },
          }));
          const added = await Promise.all(
            all.map((job) => jobs.add({ kind: 'k', workspaceId: T1, ...job }, new Date())),
          );
          for (const [index, { identity, payload }] of all.entries()) {
            const isNew = identity === undefined || !kept.some((job) => job.identity === identity);
            expect(added[index]).toBe(isNew);
            if (isNew) kept.push({ identity, payload: JSON.stringify(payload) });
          }
        }
        const rows = await db
          .selectFrom('jobs')
          .select(['identity', 'payload'])
          .where('payload', 'like', `{"at":"${runs}/%`)
          .execute();
        // What arrives together is written in the order of its identities.
        const byPayload = (one: { payload: string }, other: { payload: string }) =>
          one.payload < other.payload ? -1 : 1;
        expect(rows.toSorted(byPayload)).toEqual(kept.toSorted(byPayload));
      }),
    );
  });

  it('writes what arrives together in one commit, and what arrives meanwhile in the next', async () => {
    const batches: number[][] = [];
    const write = commitTogether(async (items: readonly number[]) => {
      batches.push([...items]);
      await new Promise(setImmediate);
      return items.map((item) => item * 10);
    });
    const first = [1, 2, 3].map(write);
    await new Promise(setImmediate);
    const second = [4, 5].map(write);
    expect(await Promise.all([...first, ...second])).toEqual([10, 20, 30, 40, 50]);
    expect(batches).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
  });
});
