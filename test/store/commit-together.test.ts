import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { commitTogether } from '../../src/store/commit-together.ts';
import { migrate, openDatabase } from '../../src/store/database.ts';
import { createJobStore } from '../../src/store/jobs.ts';
import { T1 } from '../workspaces/ids.ts';

describe('committing together', () => {
  it('knows one identity once, also among jobs that arrive together', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'together-'));
    const db = openDatabase({ path: join(folder, 'app.db') });
    onTestFinished(async () => {
      await db.destroy();
      await rm(folder, { recursive: true });
    });
    await migrate(db);
    const jobs = createJobStore(db);
    const job = { kind: 'k', workspaceId: T1, payload: {} };
    const named = (identity?: string) => jobs.add({ ...job, identity }, new Date());
    const added = await Promise.all([
      named('a'),
      named('a'),
      named('b'),
      named(),
      named(),
      named('a'),
    ]);
    expect(added).toEqual([true, false, true, true, true, false]);
    expect(await named('b')).toBe(false);
  });

  it('writes in one go what arrives together, and what arrives meanwhile in the next', async () => {
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

  it('lets one that can’t be written harm nobody else', async () => {
    const write = commitTogether(async (items: readonly number[]) => {
      if (items.includes(2)) throw new Error('not 2');
      return [...items];
    });
    const results = await Promise.allSettled([1, 2, 3].map(write));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await write(4)).toBe(4);
  });
});
