import { describe, expect, it } from 'vitest';
import type { WorkspaceId } from '../../src/installations/workspace-id.ts';
import type { NewJob } from '../../src/store/insert-jobs.ts';
import { claimOf, type JobStore } from '../../src/store/jobs.ts';
import { createOperatorJobs, JOB_STATES, type JobFilter } from '../../src/store/operator-jobs.ts';
import { T1, T2, T3 } from '../installations/ids.ts';
import { at, type OpenStores } from './stores-under-test.ts';

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
    const claimed = await jobs.claim(now);
    if (!claimed) return names;
    names.push(claimed.payload);
  }
}

async function claim(jobs: JobStore, now: Date) {
  const claimed = await jobs.claim(now);
  if (!claimed) throw new Error('no job could be claimed');
  return claimed;
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
      expect(await jobs.claim(at(0))).toMatchObject({
        kind: 'test',
        workspaceId: T1,
        payload,
        attempt: 1,
      });
    });

    it('is added once per identity', async () => {
      const { stores, openAgain } = await openStores();
      const other = await openAgain();
      const added = await Promise.all(
        [stores, other, stores, other].map(({ jobTable }) =>
          jobTable.add(job('a', { identity: 'event/Ev1' }), at(0)),
        ),
      );
      expect(added.filter(Boolean)).toHaveLength(1);
      expect(await claimAll(stores.jobTable, at(0))).toHaveLength(1);
    });

    it('is added every time if it has no identity', async () => {
      const jobs = await openJobs();
      expect(await jobs.add(job('a'), at(0))).toBe(true);
      expect(await jobs.add(job('a'), at(0))).toBe(true);
      expect(await claimAll(jobs, at(0))).toHaveLength(2);
    });

    it('is known by its identity after it is done, until it is pruned', async () => {
      const jobs = await openJobs();
      const repeated = job('a', { identity: 'event/Ev1' });
      await jobs.add(repeated, at(0));
      await jobs.finish(await claim(jobs, at(0)), 'done', at(1));
      expect(await jobs.add(repeated, at(2))).toBe(false);
      expect(await jobs.prune(at(1), at(1))).toBe(0);
      expect(await jobs.add(repeated, at(2))).toBe(false);
      expect(await jobs.prune(at(2), at(2))).toBe(1);
      expect(await jobs.add(repeated, at(3))).toBe(true);
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

    it('gives each job to one of all who ask', async () => {
      const { stores, openAgain } = await openStores();
      const other = await openAgain();
      for (const name of ['a', 'b', 'c']) await stores.jobTable.add(job(name), at(0));
      const claimed = await Promise.all(
        [stores, other, stores, other, stores].map(({ jobTable }) => jobTable.claim(at(0))),
      );
      const ids = claimed.filter((one) => one !== undefined).map(({ id }) => id);
      expect(ids).toHaveLength(3);
      expect(new Set(ids).size).toBe(3);
    });

    it('counts attempts', async () => {
      const jobs = await openJobs();
      await jobs.add(job('a'), at(0));
      const first = await claim(jobs, at(0));
      await jobs.postpone(first, at(1), at(0));
      const second = await claim(jobs, at(1));
      expect([first.attempt, second.attempt]).toEqual([1, 2]);
    });

    it('doesn’t count an attempt that only had to wait', async () => {
      const jobs = await openJobs();
      await jobs.add(job('a'), at(0));
      await jobs.postpone(await claim(jobs, at(0)), at(1), at(0), { counts: false });
      expect(await claim(jobs, at(1))).toMatchObject({ attempt: 1 });
    });

    it('is brought forward if it waits for longer', async () => {
      const jobs = await openJobs();
      const added: (readonly { runAt: Date }[])[] = [];
      await jobs.add({ ...job('a'), identity: 'a', runAt: at(9) }, at(0));
      jobs.onAdded((some) => added.push(some));
      await jobs.bringForward('a', at(5), at(1));
      expect(added).toEqual([[{ isUrgent: false, runAt: at(5) }]]);
      await jobs.bringForward('a', at(7), at(1));
      expect(await jobs.nextRunAt()).toEqual(at(5));
      const claimed = await claim(jobs, at(5));
      await jobs.bringForward('a', at(2), at(1));
      await jobs.finish(claimed, 'done', at(5));
      await jobs.bringForward('a', at(2), at(1));
      expect(await jobs.claim(at(9))).toBeUndefined();
      expect(added.flat()).toHaveLength(1);
    });

    it('belongs only to the newest holder', async () => {
      const jobs = await openJobs();
      await jobs.add(job('a'), at(0));
      const first = await claim(jobs, at(0));
      await jobs.releaseAbandoned(at(0), 2);
      const second = await claim(jobs, at(0));
      await jobs.finish(first, 'done', at(1));
      await jobs.postpone(first, at(1), at(0));
      expect(await jobs.claim(at(1))).toBeUndefined();
      await jobs.postpone(second, at(2), at(0));
      expect(await jobs.claim(at(2))).toMatchObject({ id: first.id });
    });
  });

  describe('the number of a claim', () => {
    it('is valid until the job is finished, postponed, or claimed again', async () => {
      const jobs = await openJobs();
      for (const name of ['a', 'b', 'c']) await jobs.add(job(name), at(0));
      const [a, b, c] = [
        await claim(jobs, at(0)),
        await claim(jobs, at(0)),
        await claim(jobs, at(0)),
      ];
      const held = () => Promise.all([a, b, c].map((one) => jobs.isHeld(claimOf(one))));
      expect(await held()).toEqual([true, true, true]);
      await jobs.finish(a, 'done', at(1));
      await jobs.postpone(b, at(1), at(0));
      await jobs.releaseAbandoned(at(0), 2);
      expect(await held()).toEqual([false, false, false]);
      const again = [await claim(jobs, at(1)), await claim(jobs, at(1))];
      expect(await held()).toEqual([false, false, false]);
      expect(await Promise.all(again.map((one) => jobs.isHeld(claimOf(one))))).toEqual([
        true,
        true,
      ]);
      expect(await jobs.isHeld('')).toBe(false);
    });
  });

  describe('an unfinished job', () => {
    it('is found by its identity, while it waits and while it runs', async () => {
      const jobs = await openJobs();
      expect(await jobs.isPending('one')).toBe(false);
      await jobs.add(job('a', { identity: 'one', runAt: at(5) }), at(0));
      expect(await jobs.isPending('one')).toBe(true);
      const claimed = await claim(jobs, at(5));
      expect(await jobs.isPending('one')).toBe(true);
      await jobs.finish(claimed, 'failed', at(6));
      expect(await jobs.isPending('one')).toBe(false);
    });
  });

  describe('jobs left by a process', () => {
    it('are released, except finished ones', async () => {
      const jobs = await openJobs();
      for (const name of ['done', 'failed', 'claimed', 'waiting']) await jobs.add(job(name), at(0));
      await jobs.finish(await claim(jobs, at(0)), 'done', at(0));
      await jobs.finish(await claim(jobs, at(0)), 'failed', at(0));
      await claim(jobs, at(0));
      expect(await jobs.releaseAbandoned(at(0), 2)).toEqual([]);
      expect(await claimAll(jobs, at(0))).toEqual([{ name: 'claimed' }, { name: 'waiting' }]);
    });
  });

  describe('a job that was running each time a process ended', () => {
    const CHANCES = 3;

    it('is released until it has used up its attempts', async () => {
      const jobs = await openJobs();
      await jobs.add(job('a'), at(0));
      for (let end = 1; end < CHANCES; end += 1) {
        await claim(jobs, at(0));
        expect(await jobs.releaseAbandoned(at(0), CHANCES)).toEqual([]);
      }
      const last = await claim(jobs, at(0));
      const usedUp = await jobs.releaseAbandoned(at(0), CHANCES);
      expect(usedUp).toEqual([{ ...last, fence: last.fence + 1 }]);
      expect(await jobs.claim(at(0))).toBeUndefined();
      // If the process ends before the job is given up, it is found again.
      const [found = last] = await jobs.releaseAbandoned(at(0), CHANCES);
      expect(found).toEqual({ ...last, fence: last.fence + 2 });
      await jobs.finish(found, 'failed', at(1));
      expect(await jobs.releaseAbandoned(at(1), CHANCES)).toEqual([]);
    });

    it('is not one that finished in between', async () => {
      const jobs = await openJobs();
      await jobs.add(job('a'), at(0));
      for (let end = 0; end < 2 * CHANCES; end += 1) {
        await claim(jobs, at(0));
        expect(await jobs.releaseAbandoned(at(0), CHANCES)).toEqual([]);
        await jobs.postpone(await claim(jobs, at(0)), at(0), at(0), { counts: false });
      }
    });

    it('runs alone from the second time on, before others of its kind', async () => {
      const jobs = await openJobs();
      for (const name of ['a', 'b', 'c']) await jobs.add(job(name), at(0));
      await claimAll(jobs, at(0));
      await jobs.releaseAbandoned(at(0), CHANCES);
      expect(await claimAll(jobs, at(0))).toHaveLength(3);
      await jobs.releaseAbandoned(at(0), CHANCES);
      expect(await claimAll(jobs, at(0))).toEqual([{ name: 'a' }]);
      expect(await claimAll(jobs, at(60))).toEqual([{ name: 'b' }, { name: 'c' }]);
    });
  });

  describe('jobs of several workspaces', () => {
    it('are claimed by urgency, skipping excluded workspaces', async () => {
      const jobs = await openJobs();
      for (const workspaceId of [T1, T2, T3]) {
        await jobs.add(job(`link of ${workspaceId}`, { workspaceId }), at(0));
        const runAt = at(Number(workspaceId.at(-1)));
        await jobs.add(
          job(`form of ${workspaceId}`, { workspaceId, isUrgent: true, runAt }),
          at(0),
        );
      }
      const nameOf = async (isUrgent: boolean, notOf: WorkspaceId[]) =>
        (await jobs.claim(at(9), { isUrgent, notOf }))?.payload;
      expect(await nameOf(false, [T1])).toEqual({ name: 'link of T2' });
      expect(await jobs.nextRunAt({ isUrgent: true, notOf: [T1, T2] })).toEqual(at(3));
      expect(await nameOf(true, [T1, T2])).toEqual({ name: 'form of T3' });
      expect(await nameOf(true, [])).toEqual({ name: 'form of T1' });
      expect(await nameOf(true, [T2])).toBeUndefined();
      expect(await jobs.nextRunAt({ isUrgent: true, notOf: [T2] })).toBeUndefined();
      expect(await nameOf(false, [])).toEqual({ name: 'link of T1' });
    });
  });

  describe('the time of the next job', () => {
    it('is that of the earliest one waiting', async () => {
      const jobs = await openJobs();
      expect(await jobs.nextRunAt()).toBeUndefined();
      await jobs.add(job('later', { runAt: at(20) }), at(0));
      await jobs.add(job('soon', { runAt: at(5) }), at(0));
      expect(await jobs.nextRunAt()).toEqual(at(5));
      await claim(jobs, at(5));
      expect(await jobs.nextRunAt()).toEqual(at(20));
    });
  });

  describe('a clock that is set back by an hour', () => {
    const HOUR = 3_600;

    it('lets every job run that was scheduled before', async () => {
      const { stores, openAgain } = await openStores();
      const jobs = stores.jobTable;
      await jobs.add(job('due'), at(0));
      await jobs.add(job('in a minute', { runAt: at(60) }), at(0));
      await jobs.add(job('in an hour', { runAt: at(HOUR), isUrgent: true }), at(0));
      await jobs.add(job('tried'), at(-2 * HOUR));
      const tried = await claim(jobs, at(0));
      await jobs.postpone(tried, at(30), at(0));
      const restarted = (await openAgain()).jobTable;
      expect(await restarted.runScheduledAhead(at(-HOUR))).toBe(4);
      expect(await claimAll(restarted, at(-HOUR))).toHaveLength(4);
    });

    it('runs no job early that was scheduled since, or by a replica whose clock is slightly ahead', async () => {
      const jobs = await openJobs();
      await jobs.add(job('since', { runAt: at(60) }), at(0));
      await jobs.add(job('replica', { runAt: at(60) }), at(20));
      expect(await jobs.runScheduledAhead(at(0))).toBe(0);
      expect(await claimAll(jobs, at(0))).toEqual([]);
    });

    it('lets a very large number of jobs run', async () => {
      const jobs = await openJobs();
      const many = Array.from({ length: 1_200 }, (_, number) =>
        jobs.add(job(`${number}`, { runAt: at(60) }), at(0)),
      );
      await Promise.all(many);
      expect(await jobs.runScheduledAhead(at(-HOUR))).toBe(many.length);
      expect(await jobs.runScheduledAhead(at(-HOUR))).toBe(0);
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
      const claimed = await claim(jobs, at(1));
      expect(await operator.drop(await only(), at(1))).toBe(false);
      expect(await operator.retry(await only(), at(1))).toBe(false);

      await jobs.postpone(claimed, at(HOUR), at(1));
      expect(await operator.drop(await only(), at(2))).toBe(true);
      await jobs.postpone(claimed, at(HOUR), at(2));
      expect(await only()).toMatchObject({ state: 'failed', finishedAt: at(2) });
      expect(await operator.retry(await only(), at(3))).toBe(true);
      expect(await claim(jobs, at(3))).toMatchObject({ attempt: 1, payload: { name: 'a' } });
    });

    it('lists the oldest jobs of some states, of a kind, a workspace, or an age', async () => {
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
      expect(await names({ createdBefore: at(2) })).toEqual(['0', '1']);
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
      await jobTable.finish(await claim(jobTable, at(0)), 'done', at(0));
      await jobTable.finish(await claim(jobTable, at(0)), 'failed', at(0));
      await claim(jobTable, at(0));
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

  describe('pruning jobs', () => {
    it('deletes everything finished before a given time, whatever its outcome, and nothing else', async () => {
      const jobs = await openJobs();
      const add = (name: string) => jobs.add(job(name, { identity: name }), at(0));
      for (const name of ['done', 'failed', 'recent', 'claimed', 'waiting']) await add(name);
      await jobs.finish(await claim(jobs, at(0)), 'done', at(1));
      await jobs.finish(await claim(jobs, at(0)), 'failed', at(1));
      await jobs.finish(await claim(jobs, at(0)), 'done', at(3));
      await claim(jobs, at(0));
      expect(await jobs.prune(at(2), at(2))).toBe(2);
      const known = await Promise.all(
        ['done', 'failed', 'recent', 'claimed', 'waiting'].map(async (name) => !(await add(name))),
      );
      expect(known).toEqual([false, false, true, true, true]);
    });
  });
}
