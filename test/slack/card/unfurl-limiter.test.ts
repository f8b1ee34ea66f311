import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WorkspaceId } from '../../../src/installations/workspace-id.ts';
import { createUnfurlLimiter, type UnfurlLimiter } from '../../../src/slack/card/unfurl-limiter.ts';
import { T1, T2 } from '../../installations/ids.ts';
import { at } from '../../store/stores-under-test.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** Slack's tier 3. */
const SLACK_ALLOWS = 50;

/** Slack's limit, counting the calls of the last minute. */
function slackAllowing(perMinute: number) {
  let calls: number[] = [];
  return {
    refused: 0,
    /** @returns when to try again; undefined if the call is accepted */
    call(now: number): number | undefined {
      calls = calls.filter((before) => now - before < MINUTE_MS);
      const [oldest] = calls;
      if (calls.length < perMinute || oldest === undefined) {
        calls.push(now);
        return undefined;
      }
      this.refused += 1;
      return now + Math.ceil((oldest + MINUTE_MS - now) / SECOND_MS) * SECOND_MS;
    },
  };
}

type Job = { id: number; runAt: number; postponedTo?: Date };

/** Runs jobs as the job table does, the earliest due first, until all are done. @returns their order */
function drain(jobs: Job[], options: { perMinute: number; replicas?: number }) {
  const clock = { now: 0 };
  const slack = slackAllowing(options.perMinute);
  const replicas = Array.from({ length: options.replicas ?? 1 }, () =>
    createUnfurlLimiter(() => new Date(clock.now)),
  );
  const unfurl = (limiter: UnfurlLimiter, release: () => void) => {
    const limitedUntil = slack.call(clock.now);
    const again = limitedUntil && limiter.reportLimited(T1, new Date(limitedUntil));
    release();
    return again;
  };
  const waiting = [...jobs];
  const done: number[] = [];
  let postponed = 0;
  for (let step = 0; waiting.length > 0; step += 1) {
    waiting.sort((one, other) => one.runAt - other.runAt || one.id - other.id);
    const [job] = waiting;
    const limiter = replicas[step % replicas.length];
    if (!job || !limiter) break;
    clock.now = Math.max(clock.now, job.runAt);
    const acquired = limiter.acquire(T1, job.postponedTo);
    const again = acquired instanceof Date ? acquired : unfurl(limiter, acquired);
    if (again) {
      Object.assign(job, { runAt: again.getTime(), postponedTo: again });
      postponed += 1;
    } else {
      waiting.shift();
      done.push(job.id);
    }
  }
  return { done, refused: slack.refused, endedAt: clock.now, postponed };
}

const postedWithin = (count: number, ms: number, from = Date.parse('2026-03-02T09:00:00Z')) =>
  Array.from({ length: count }, (_, id): Job => ({ id, runAt: from + (ms * id) / count }));
const inOrder = (count: number) => Array.from({ length: count }, (_, id) => id);

/** Up to 300 messages within up to 20 minutes. */
const moments = fc
  .tuple(
    fc.integer({ min: 1, max: 20 * MINUTE_MS }),
    fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 300 }),
  )
  .map(([within, shares]) =>
    shares.map((share) => Math.floor(share * within)).sort((a, b) => a - b),
  );

describe('the unfurl limiter', () => {
  it('lets every unfurl go at once until Slack limits', () => {
    const { done, postponed } = drain(postedWithin(SLACK_ALLOWS, SECOND_MS), {
      perMinute: SLACK_ALLOWS,
    });
    expect(done).toEqual(inOrder(SLACK_ALLOWS));
    expect(postponed).toBe(0);
  });

  it('keeps unfurls in the order of their messages once Slack limits, without further 429s', () => {
    const jobs = postedWithin(500, MINUTE_MS);
    const begin = jobs[0]?.runAt ?? 0;
    const { done, refused, endedAt, postponed } = drain(jobs, { perMinute: SLACK_ALLOWS });
    expect(done).toEqual(inOrder(500));
    expect(refused).toBe(1);
    expect(postponed).toBeLessThanOrEqual(500);
    expect(endedAt - begin).toBeLessThan(11 * MINUTE_MS);
  });

  it('keeps turns for waiting messages, even if a new one comes when a turn is free', () => {
    const jobs = postedWithin(80, SECOND_MS);
    const late = { id: 80, runAt: (jobs[0]?.runAt ?? 0) + 75 * SECOND_MS };
    expect(drain([...jobs, late], { perMinute: SLACK_ALLOWS }).done).toEqual(inOrder(81));
  });

  it('lets all unfurls go with few 429s, however low Slack’s limit and whenever messages come', () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 80 }), moments, (perMinute, posted) => {
        const jobs = posted.map((ms, id) => ({ id, runAt: 1e12 + ms }));
        const { done, refused } = drain(jobs, { perMinute });
        expect(done.toSorted((a, b) => a - b)).toEqual(inOrder(jobs.length));
        expect(refused).toBeLessThanOrEqual(jobs.length / 2);
      }),
    );
  });

  it('lets all unfurls go in order if Slack’s limit is as documented, whenever messages come', () => {
    fc.assert(
      fc.property(fc.integer({ min: SLACK_ALLOWS, max: 80 }), moments, (perMinute, posted) => {
        const jobs = posted.map((ms, id) => ({ id, runAt: 1e12 + ms }));
        expect(drain(jobs, { perMinute }).done).toEqual(inOrder(jobs.length));
      }),
    );
  });

  it('lets all unfurls go if replicas share the limit', () => {
    const jobs = postedWithin(300, MINUTE_MS);
    const { done, refused } = drain(jobs, { perMinute: SLACK_ALLOWS, replicas: 4 });
    expect(done.toSorted((a, b) => a - b)).toEqual(inOrder(300));
    expect(refused).toBeLessThan(100);
  });
});

describe('a workspace limited by Slack', () => {
  function limitedTurns() {
    const clock = { now: at(0) };
    const limiter = createUnfurlLimiter(() => clock.now);
    /** Asks for a turn. @returns when to ask again; undefined if the turn is granted */
    const ask = (workspaceId: WorkspaceId, postponedTo?: Date) => {
      const acquired = limiter.acquire(workspaceId, postponedTo);
      if (acquired instanceof Date) return acquired;
      acquired();
      return undefined;
    };
    return { clock, limiter, ask };
  }

  it('delays no other workspace', () => {
    const { limiter, ask } = limitedTurns();
    limiter.reportLimited(T1, at(30));
    expect(ask(T1)).toBeDefined();
    expect([limiter.isLimited(T1), limiter.isIdle(T1)]).toEqual([true, false]);
    expect(ask(T2)).toBeUndefined();
    expect([limiter.isLimited(T2), limiter.isIdle(T2)]).toEqual([false, true]);
  });

  it('gets no unfurl before the time Slack named', () => {
    const { clock, limiter, ask } = limitedTurns();
    const caller = limiter.reportLimited(T1, at(30));
    const others = inOrder(40).map(() => ask(T1)?.getTime() ?? 0);
    expect(caller).toEqual(at(30));
    expect(Math.min(...others)).toBeGreaterThan(at(30).getTime());
    expect(new Set(others).size).toBe(40);
    clock.now = at(29);
    expect(ask(T1, at(29))).toBeDefined();
    expect(limiter.isIdle(T1)).toBe(false);
  });

  it('first sends the unfurls that had their turn when the limit came', () => {
    const { limiter, ask } = limitedTurns();
    const before = [limiter.acquire(T1, undefined), limiter.acquire(T1, undefined)];
    const caller = limiter.reportLimited(T1, at(30));
    const younger = ask(T1);
    const older = limiter.retryIfLimited(T1);
    const moments = [caller, older, younger].map((moment) => moment?.getTime() ?? 0);
    expect(moments.toSorted((a, b) => a - b)).toEqual(moments);
    expect(new Set(moments).size).toBe(3);
    expect(before.every((acquired) => acquired instanceof Function)).toBe(true);
  });

  it('is no longer limited a minute after the last turn', () => {
    const { clock, limiter, ask } = limitedTurns();
    const acquired = limiter.reportLimited(T1, at(30));
    clock.now = at(30);
    expect(ask(T1, acquired)).toBeUndefined();
    clock.now = at(91);
    const free = inOrder(10).map(() => ask(T1));
    expect(free).toEqual(free.map(() => undefined));
  });
});

it('isn’t delayed by a clock that is set back', () => {
  const clock = { now: at(0) };
  const limiter = createUnfurlLimiter(() => clock.now);
  limiter.reportLimited(T1, at(60));
  expect(limiter.isLimited(T1)).toBe(true);
  clock.now = at(-3_600);
  expect([limiter.isLimited(T1), limiter.isIdle(T1)]).toEqual([false, true]);
  expect(limiter.acquire(T1, undefined)).toBeTypeOf('function');
});
