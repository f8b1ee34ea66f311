import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { RetryLaterError } from '../../src/jobs/retry-later.ts';
import { claimHeld } from '../../src/jobs/runner.ts';
import { type ClaimedJob, createJobStore, type JobStore } from '../../src/store/jobs.ts';
import { workspaceNamed } from '../installations/ids.ts';
import { at, claimOne } from '../store/stores-under-test.ts';
import { job, setUpRunner } from './runner-under-test.ts';

/** More than the runner starts before it lets anything else run. */
const MANY = 100;
/** How many jobs that nobody waits for the runner runs at once. */
const SLOTS = 24;
/** How many of those one workspace can have at most. */
const SLOTS_PER_WORKSPACE = 8;
/** Enough to take all slots. */
const WORKSPACES = 4;
/** The most attempts of one job, and the longest delay between two in seconds. */
const MOST_ATTEMPTS = 32;
const LONGEST_PAUSE_S = 300;
/** Allows for a database lock, which is waited for by the database first and then by the runner. */
const soon = <Result>(check: () => Result) => vi.waitFor(check, { timeout: 30_000, interval: 10 });

/** The runner then looks at the table only when something tells it to. Vitest's fake timers go on during `vi.waitFor`. */
function neverLookAgain(): void {
  vi.stubGlobal('setInterval', () => undefined);
  onTestFinished(() => void vi.unstubAllGlobals());
}

describe('a job', () => {
  it('lets other work run even if many short jobs are waiting', async () => {
    const work = vi.fn(async () => 'done' as const);
    const { runner, jobs, clock, states } = await setUpRunner({ work });
    for (let number = 0; number < MANY; number += 1) await jobs.add(job('work'), clock.now);
    await runner.start();
    // What arrives from outside does so in a later turn of the event loop.
    await nextTurn();
    expect(work.mock.calls.length).toBeLessThan(MANY);
    await soon(async () => expect(new Set(await states())).toEqual(new Set(['done'])));
    expect(work).toHaveBeenCalledTimes(MANY);
  });

  it('wakes the runner when it is due', async () => {
    const work = vi.fn(async () => 'done' as const);
    const { runner, clock } = await setUpRunner({ work });
    await runner.start();
    await runner.add(job('work', { runAt: new Date(at(0).getTime() + 20) }));
    clock.now = at(1);
    await soon(() => expect(work).toHaveBeenCalledOnce());
  });

  it('of another process is found', async () => {
    const work = vi.fn(async () => 'done' as const);
    const { runner, db, states } = await setUpRunner({ work });
    await runner.start();
    // This process isn't told about it.
    await createJobStore(db).add(job('work'), at(0));
    await soon(async () => expect(await states()).toEqual(['done']));
  });

  it('of an unknown kind is left to a newer version, and logged', async () => {
    const { runner, states, log } = await setUpRunner({ work: async () => 'done' });
    await runner.start();
    await runner.add(job('of a newer version'));
    await runner.add(job('work'));
    await soon(async () => expect(await states()).toEqual(['ready', 'done']));
    expect(log.join('')).toContain('no handler for this kind of job');
  });
});

describe('a job that fails', () => {
  it('is retried with growing delays, and finally given up', async () => {
    const payload = { typed: 'between the two of us' };
    const seen: number[] = [];
    const { runner, waiting, clock, states, log } = await setUpRunner({
      work: async ({ attempts }: ClaimedJob) => {
        seen.push(attempts);
        throw new Error('the network is down');
      },
      poke: async () => 'done',
    });
    await runner.start();
    await runner.add(job('work', { payload }));
    for (let failed = 1; failed < MOST_ATTEMPTS; failed += 1) {
      const doubled = Math.min(2 ** (failed - 1), LONGEST_PAUSE_S);
      const next = await soon(async () => {
        const found = (await waiting())[0];
        return found && found > clock.now ? found : expect.unreachable('not postponed yet');
      });
      const wait = (next.getTime() - clock.now.getTime()) / 1000;
      expect(wait).toBeGreaterThanOrEqual(doubled / 2);
      expect(wait).toBeLessThanOrEqual(doubled);
      clock.now = next;
      await runner.add(job('poke'));
      await soon(() => expect(seen.length).toBeGreaterThan(failed));
    }
    await soon(async () => expect((await states())[0]).toBe('failed'));
    expect(seen).toEqual(Array.from({ length: MOST_ATTEMPTS }, (_, index) => index + 1));
    expect(log.join('')).toContain('job given up');
    expect(log.join('')).not.toContain(payload.typed);
  });
});

describe.each([
  ['throws a RetryLaterError', () => Promise.reject(new RetryLaterError(at(30)))],
  ['returns when to run again', () => Promise.resolve({ retryAt: at(30) })],
])('a job that %s', (_name, wait) => {
  it('runs again at that time', async () => {
    const work = vi.fn<(job: ClaimedJob) => Promise<'done' | { retryAt: Date }>>(wait);
    const { runner, waiting, clock, states } = await setUpRunner({
      work,
      poke: async () => 'done',
    });
    await runner.start();
    await runner.add(job('work'));
    await soon(async () => expect(await waiting()).toEqual([at(30)]));
    work.mockImplementation(async () => 'done');
    clock.now = at(29);
    await runner.add(job('poke'));
    await soon(async () => expect(await states()).toEqual(['ready', 'done']));
    clock.now = at(30);
    await runner.add(job('poke'));
    await soon(async () => expect(await states()).toEqual(['done', 'done', 'done']));
    // It hasn't failed, so waiting uses up no attempts.
    expect(work.mock.calls).toMatchObject([[{ attempts: 1 }], [{ attempts: 1 }]]);
  });
});

it('a job added while the runner looks for jobs runs at once', async () => {
  const looking = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const slowly = (jobs: JobStore): Partial<JobStore> => ({
    // The runner has found the table empty when something is added.
    async claim(...which) {
      const claimed = await jobs.claim(...which);
      looking.resolve();
      await gate.promise;
      return claimed;
    },
  });
  const { runner, states } = await setUpRunner({ work: async () => 'done' }, { slowly });
  neverLookAgain();
  await runner.start();
  await looking.promise;
  await runner.add(job('work'));
  gate.resolve();
  await soon(async () => expect(await states()).toEqual(['done']));
});

it('while all slots are taken added jobs are not forgotten, and each runs once', async () => {
  neverLookAgain();
  const gate = Promise.withResolvers<void>();
  const ran: unknown[] = [];
  let atOnce = 0;
  let most = 0;
  const { runner, states } = await setUpRunner({
    work: async ({ payload }) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await gate.promise;
      atOnce -= 1;
      ran.push(payload);
      return 'done';
    },
  });
  await runner.start();
  const numbers = Array.from({ length: 3 * SLOTS }, (_, index) => index);
  for (const payload of numbers) {
    await runner.add(
      job('work', { payload, workspaceId: workspaceNamed(`T${payload % WORKSPACES}`) }),
    );
  }
  await soon(() => expect(atOnce).toBe(SLOTS));
  // The runner asks once more, in a later turn of the event loop, and then sleeps.
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  gate.resolve();
  await soon(async () => expect(new Set(await states())).toEqual(new Set(['done'])));
  expect(ran.toSorted((a, b) => Number(a) - Number(b))).toEqual(numbers);
  expect(most).toBe(SLOTS);
});

it('stopping the runner starts nothing more, even during a claim', async () => {
  const { runner, jobs, states } = await setUpRunner({ work: async () => 'done' });
  for (let count = 0; count < MANY; count += 1) await jobs.add(job('work'), at(0));
  await runner.start();
  await runner.stop();
  const left = (await states()).filter((state) => state === 'ready').length;
  expect(left).toBeGreaterThanOrEqual(MANY - SLOTS_PER_WORKSPACE);
});

describe('a database that is temporarily locked', () => {
  it('is asked for jobs again until it answers', async () => {
    const { runner, clock, lockDatabase, states, log } = await setUpRunner({
      work: async () => 'done',
    });
    await runner.start();
    await runner.add(job('work', { runAt: new Date(at(0).getTime() + 5) }));
    const unlock = lockDatabase();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    clock.now = at(1);
    await soon(() => expect(log.join('')).toContain('could not read the job table'));
    unlock();
    await vi.advanceTimersByTimeAsync(1_000);
    await soon(async () => expect(await states()).toEqual(['done']));
  });

  /** A running job that will end while the database is locked. */
  async function lockedAtTheEnd(outcome: 'done' | { retryAt: Date }) {
    const gate = Promise.withResolvers<void>();
    const work = vi.fn(async () => {
      await gate.promise;
      return outcome;
    });
    const running = await setUpRunner({ work });
    await running.runner.start();
    await running.runner.add(job('work'));
    await soon(() => expect(work).toHaveBeenCalledOnce());
    const unlock = running.lockDatabase();
    gate.resolve();
    await soon(() => expect(running.log.join('')).toContain('could not store'));
    return { ...running, work, unlock };
  }

  it('is told the outcome of a job again until it accepts it', async () => {
    const { unlock, states, work } = await lockedAtTheEnd('done');
    unlock();
    await soon(async () => expect(await states()).toEqual(['done']));
    expect(work).toHaveBeenCalledOnce();
  });

  it('doesn’t keep the runner from stopping; the next start runs the job again', async () => {
    const { runner, jobs, unlock, states } = await lockedAtTheEnd({ retryAt: at(5) });
    await runner.stop();
    unlock();
    expect(await states()).toEqual(['running']);
    expect(await jobs.releaseAbandoned(at(0), 2)).toEqual([]);
    expect(await states()).toEqual(['ready']);
  });
});

it('a replica holds no claim that it made while it was frozen for longer than its lease', async () => {
  const nothing = async () => undefined;
  let gaps = 0;
  const said: boolean[] = [];
  const work = async () => {
    said.push(claimHeld()());
    return 'done' as const;
  };
  const slowly = (table: JobStore): Partial<JobStore> => ({
    async claim(...which) {
      const claimed = await table.claim(...which);
      gaps = 1;
      return claimed;
    },
  });
  const heldFromNow = () => {
    const before = gaps;
    return () => gaps === before;
  };
  const lease = { start: nothing, heldFromNow, end: nothing };
  const { runner, jobs, clock } = await setUpRunner({ work }, { slowly, lease });
  await jobs.add(job('work'), clock.now);
  await runner.start();
  await soon(() => expect(said).toEqual([false]));
});

describe('a job that ends the process each time it runs', () => {
  const CHANCES = 8;

  it('is given up, reported, and not run again, while others run', async () => {
    const work = vi.fn(async () => 'done' as const);
    const told: unknown[] = [];
    const giveUpHandlers = { work: async ({ payload }: ClaimedJob) => void told.push(payload) };
    const { runner, jobs, states, log } = await setUpRunner({ work }, { giveUpHandlers });
    await jobs.add(job('work', { payload: 'poison' }), at(0));
    for (let end = 1; end <= CHANCES; end += 1) {
      expect(await claimOne(jobs, at(60))).toBeDefined();
      if (end < CHANCES) await jobs.releaseAbandoned(at(0), CHANCES);
    }
    await jobs.add(job('work', { payload: 'another' }), at(0));
    await runner.start();
    await soon(async () => expect(await states()).toEqual(['failed', 'done']));
    expect(told).toEqual(['poison']);
    expect(work).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ payload: 'another' }));
    expect(log.join('')).toContain('job given up');
  });

  it('is reported again if that failed', async () => {
    let calls = 0;
    const work = () => Promise.reject(new Error('refused'));
    const giveUp = async () => {
      calls += 1;
      if (calls === 1) throw new Error('the database is down');
    };
    const { runner, jobs, states } = await setUpRunner(
      { work },
      { giveUpHandlers: { work: giveUp }, retryAfter: () => 'never' },
    );
    await jobs.add(job('work'), at(0));
    await runner.start();
    await soon(async () => expect(await states()).toEqual(['failed']));
    expect(calls).toBe(2);
  });
});
