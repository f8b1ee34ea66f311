import { describe, expect, it } from 'vitest';
import type { NewJob } from '../../src/store/jobs.ts';
import { type ClaimedJob, claimOf, type JobStore } from '../../src/store/jobs.ts';
import { createOperatorJobs, JOB_STATES, type JobFilter } from '../../src/store/operator-jobs.ts';
import { T1, T2, workspaceNamed } from '../installations/ids.ts';
import { at, claimNext, claimOne, type OpenStores } from './stores-under-test.ts';

const job = (name: string, changes: Partial<NewJob> = {}): NewJob => ({
  kind: 'test',
  workspaceId: T1,
  payload: { name },
  ...changes,
});

/** The names of all jobs that can be claimed, in order. */
async function claimAll(jobs: JobStore, now: Date): Promise<unknown[]> {
  const names: unknown[] = [];
  for (;;) {
    const claimed = await claimOne(jobs, now);
    if (!claimed) return names;
    names.push(claimed.payload);
  }
}

export function describeJobs(openStores: OpenStores): void {
  const openJobs = async () => (await openStores()).stores.jobTable;

  describe('a job', () => {
    it('is claimed as it was added', async () => {
      const jobs = await openJobs();
      const payload = JSON.parse(
        '{"text":"\\u0000 \\ud800 ü","list":[1,null],"__proto__":{"a":1}}',
      );
      expect(await jobs.add(job('a', { payload }), at(0))).toBe(true);
      expect(await claimOne(jobs, at(0))).toMatchObject({
        kind: 'test',
        workspaceId: T1,
        payload,
        attempts: 1,
      });
    });
  });

  describe('a claim', () => {
    it('takes the job that has waited longest, and none before its time', async () => {
      const jobs = await openJobs();
      await jobs.add(job('later', { runAt: at(20) }), at(0));
      await jobs.add(job('second', { runAt: at(5) }), at(0));
      await jobs.add(job('third', { runAt: at(5) }), at(0));
      await jobs.add(job('first', { runAt: at(1) }), at(0));
      expect(await claimAll(jobs, at(10))).toEqual([
        { name: 'first' },
        { name: 'second' },
        { name: 'third' },
      ]);
      expect(await claimAll(jobs, at(19.999))).toEqual([]);
      expect(await claimAll(jobs, at(20))).toEqual([{ name: 'later' }]);
    });

    it('is brought forward if it waits for longer', async () => {
      const jobs = await openJobs();
      const added: Date[] = [];
      await jobs.add({ ...job('a'), identity: 'a', runAt: at(9) }, at(0));
      jobs.onAdded((runAt) => added.push(runAt));
      await jobs.bringForward('a', at(5));
      expect(added).toEqual([at(5)]);
      await jobs.bringForward('a', at(7));
      expect(await claimOne(jobs, at(4))).toBeUndefined();
      const claimed = await claimNext(jobs, at(5));
      await jobs.bringForward('a', at(2));
      await jobs.finish(claimed, 'done', at(5));
      await jobs.bringForward('a', at(2));
      expect(await claimOne(jobs, at(9))).toBeUndefined();
      expect(added).toHaveLength(1);
    });

    it('belongs only to the newest holder', async () => {
      const jobs = await openJobs();
      await jobs.add(job('a'), at(0));
      const first = await claimNext(jobs, at(0));
      await jobs.releaseAbandoned(at(0), 2);
      const second = await claimNext(jobs, at(0));
      await jobs.finish(first, 'done', at(1));
      await jobs.postpone(first, at(1));
      expect(await claimOne(jobs, at(1))).toBeUndefined();
      await jobs.postpone(second, at(2));
      expect(await claimOne(jobs, at(2))).toMatchObject({ id: first.id });
    });
  });

  it('the number of a claim is valid until the job is finished, postponed, or claimed again', async () => {
    const jobs = await openJobs();
    for (const name of ['a', 'b', 'c']) await jobs.add(job(name), at(0));
    const claimed = await jobs.claim(at(0), 3);
    const held = (which = claimed) => Promise.all(which.map((one) => jobs.isHeld(claimOf(one))));
    expect(await held()).toEqual([true, true, true]);
    if (claimed[0]) await jobs.finish(claimed[0], 'done', at(1));
    if (claimed[1]) await jobs.postpone(claimed[1], at(1));
    await jobs.releaseAbandoned(at(0), 2);
    expect(await held()).toEqual([false, false, false]);
    const again = await jobs.claim(at(1), 2);
    expect(await held()).toEqual([false, false, false]);
    expect(await held(again)).toEqual([true, true]);
    expect(await jobs.isHeld('')).toBe(false);
  });

  it('an unfinished job is found by its identity, while it waits and while it runs', async () => {
    const jobs = await openJobs();
    expect(await jobs.isPending('one')).toBe(false);
    await jobs.add(job('a', { identity: 'one', runAt: at(5) }), at(0));
    expect(await jobs.isPending('one')).toBe(true);
    const claimed = await claimNext(jobs, at(5));
    expect(await jobs.isPending('one')).toBe(true);
    await jobs.finish(claimed, 'failed', at(6));
    expect(await jobs.isPending('one')).toBe(false);
  });

  it('jobs left by a process are released, except finished ones', async () => {
    const jobs = await openJobs();
    for (const name of ['done', 'failed', 'claimed', 'waiting']) await jobs.add(job(name), at(0));
    await jobs.finish(await claimNext(jobs, at(0)), 'done', at(0));
    await jobs.finish(await claimNext(jobs, at(0)), 'failed', at(0));
    await claimNext(jobs, at(0));
    expect(await jobs.releaseAbandoned(at(0), 2)).toEqual([]);
    expect(await claimAll(jobs, at(0))).toEqual([{ name: 'claimed' }, { name: 'waiting' }]);
  });

  describe('a job that was running each time a process ended', () => {
    const CHANCES = 3;

    it('is released until it has used up its attempts', async () => {
      const jobs = await openJobs();
      await jobs.add(job('a'), at(0));
      for (let end = 1; end < CHANCES; end += 1) {
        await claimNext(jobs, at(60));
        expect(await jobs.releaseAbandoned(at(0), CHANCES)).toEqual([]);
      }
      const last = await claimNext(jobs, at(60));
      const usedUp = await jobs.releaseAbandoned(at(0), CHANCES);
      expect(usedUp).toEqual([{ ...last, fence: last.fence + 1, crashes: CHANCES }]);
      expect(await claimOne(jobs, at(60))).toBeUndefined();
      // If the process ends before the job is given up, it is found again.
      const [found = last] = await jobs.releaseAbandoned(at(0), CHANCES);
      expect(found).toEqual({ ...last, fence: last.fence + 2, crashes: CHANCES + 1 });
      await jobs.finish(found, 'failed', at(1));
      expect(await jobs.releaseAbandoned(at(1), CHANCES)).toEqual([]);
    });

    it('is not one that finished in between', async () => {
      const jobs = await openJobs();
      await jobs.add(job('a'), at(0));
      for (let end = 0; end < 2 * CHANCES; end += 1) {
        await claimNext(jobs, at(0));
        expect(await jobs.releaseAbandoned(at(0), CHANCES)).toEqual([]);
        await jobs.postpone(await claimNext(jobs, at(0)), at(0), { counts: false });
      }
    });

    it('runs apart from the others from the second time on', async () => {
      const jobs = await openJobs();
      const all = ['a', 'b', 'c'];
      for (const name of all) await jobs.add(job(name), at(0));
      await claimAll(jobs, at(0));
      await jobs.releaseAbandoned(at(0), CHANCES);
      expect(await claimAll(jobs, at(0))).toHaveLength(all.length);
      await jobs.releaseAbandoned(at(0), CHANCES);
      const claimedAt: number[] = [];
      for (let second = 0; second < 60; second += 1) {
        claimedAt.push((await claimAll(jobs, at(second))).length);
      }
      expect(claimedAt.filter((count) => count > 0)).toEqual([1, 1, 1]);
    });
  });

  describe('a claim of several jobs', () => {
    const ALL = 100;
    /** How many urgent jobs, and how many others, one workspace may run; all that may run, and those not urgent. */
    const [PER_WORKSPACE, SLOTS, NOT_URGENT] = [8, 32, 24];

    async function withJobs(...groups: { of: string; count: number; isUrgent?: boolean }[]) {
      const jobs = await openJobs();
      const all = groups.flatMap(({ of, count, isUrgent }, group) =>
        Array.from({ length: count }, () =>
          job(of, { workspaceId: workspaceNamed(of), isUrgent, runAt: at(group) }),
        ),
      );
      await Promise.all(all.map((one) => jobs.add(one, at(0))));
      return jobs;
    }
    const names = (claimed: readonly ClaimedJob[]) => claimed.map(({ workspaceId }) => workspaceId);

    it('takes urgent ones first, then those that have waited longest', async () => {
      const jobs = await withJobs(
        { of: 'T1', count: 1 },
        { of: 'T2', count: 1 },
        { of: 'T3', count: 1, isUrgent: true },
      );
      expect(names(await jobs.claim(at(9), 2))).toEqual(['T3', 'T1']);
      expect(names(await jobs.claim(at(9), 2))).toEqual(['T2']);
    });

    it.each([true, false])('takes only so many of one workspace, urgent: %s', async (isUrgent) => {
      const jobs = await withJobs(
        { of: 'T1', count: ALL, isUrgent },
        { of: 'T2', count: 1, isUrgent },
      );
      const first = await jobs.claim(at(9), ALL);
      expect(names(first)).toEqual(Array.from({ length: PER_WORKSPACE }, () => 'T1'));
      expect(names(await jobs.claim(at(9), ALL))).toEqual(['T2']);
      expect(await jobs.claim(at(9), ALL)).toEqual([]);
      if (first[0]) await jobs.finish(first[0], 'done', at(9));
      expect(names(await jobs.claim(at(9), ALL))).toEqual(['T1']);
    });

    it('keeps slots for urgent ones, however many others wait', async () => {
      const workspaces = Array.from({ length: SLOTS }, (_, number) => `T${number + 1}`);
      const jobs = await withJobs(...workspaces.map((of) => ({ of, count: 2 })));
      expect(await jobs.claim(at(ALL), ALL)).toHaveLength(NOT_URGENT);
      expect(await jobs.claim(at(ALL), ALL)).toEqual([]);
      for (const of of workspaces) {
        await jobs.add(job(of, { workspaceId: workspaceNamed(of), isUrgent: true }), at(0));
      }
      expect(await jobs.claim(at(ALL), ALL)).toHaveLength(SLOTS - NOT_URGENT);
      expect(await jobs.claim(at(ALL), ALL)).toEqual([]);
    });
  });

  describe('an operator', () => {
    it('changes a job only as it was when it was read, and an earlier claim can’t finish it', async () => {
      const { db, stores } = await openStores();
      const jobs = stores.jobTable;
      const operator = createOperatorJobs(db);
      const only = async () => {
        const [one] = await operator.list({ states: JOB_STATES, limit: 9 });
        if (!one) throw new Error('there is no job');
        return one;
      };
      const HOUR = 3_600;
      await jobs.add(job('a', { runAt: at(HOUR) }), at(0));
      const seen = await only();
      expect(await operator.retry(seen, at(1))).toBe(true);
      // It has been changed since.
      expect(await operator.drop(seen, at(1))).toBe(false);
      const claimed = await claimNext(jobs, at(1));
      expect(await operator.drop(await only(), at(1))).toBe(false);
      expect(await operator.retry(await only(), at(1))).toBe(false);

      await jobs.postpone(claimed, at(HOUR));
      expect(await operator.drop(await only(), at(2))).toBe(true);
      await jobs.postpone(claimed, at(HOUR));
      expect(await only()).toMatchObject({ state: 'failed', finishedAt: at(2) });
      expect(await operator.retry(await only(), at(3))).toBe(true);
      expect(await claimNext(jobs, at(3))).toMatchObject({ attempts: 1, payload: { name: 'a' } });
    });

    it('lists the oldest jobs of some states, of a kind, or a workspace', async () => {
      const { db, stores } = await openStores();
      const operator = createOperatorJobs(db);
      for (const [second, workspaceId] of [T1, T2, T1].entries()) {
        await stores.jobTable.add(job(`${second}`, { workspaceId }), at(second));
      }
      const names = async (filter: Partial<JobFilter>) =>
        (await operator.list({ states: ['ready'], limit: 9, ...filter })).map(
          ({ payload }) => (payload as { name: string }).name,
        );
      expect(await names({ limit: 2 })).toEqual(['0', '1']);
      expect(await names({ workspace: 'T1' })).toEqual(['0', '2']);
      expect(await names({ kind: 'another' })).toEqual([]);
      expect(await names({ states: ['failed', 'done'] })).toEqual([]);
    });

    it('lists failed jobs, then running, urgent, waiting, and done ones, up to a limit', async () => {
      const { db, stores } = await openStores();
      const { jobTable } = stores;
      const operator = createOperatorJobs(db);
      for (const name of ['done', 'failed', 'running', 'waiting first', 'waiting']) {
        await jobTable.add(job(name, { runAt: at(name === 'waiting' ? 1 : 0) }), at(0));
      }
      await jobTable.finish(await claimNext(jobTable, at(0)), 'done', at(0));
      await jobTable.finish(await claimNext(jobTable, at(0)), 'failed', at(0));
      await claimNext(jobTable, at(0));
      await jobTable.add(job('urgent', { isUrgent: true }), at(0));
      const listed = async (limit: number) =>
        (await operator.list({ states: JOB_STATES, limit })).map(
          ({ payload }) => (payload as { name: string }).name,
        );
      const all = ['failed', 'running', 'urgent', 'waiting first', 'waiting', 'done'];
      expect(await listed(9)).toEqual(all);
      expect(await listed(4)).toEqual(all.slice(0, 4));
    });
  });
}
