import fc from 'fast-check';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { newBudget } from '../../../src/service/budget/budget.ts';
import type { CallObserver } from '../../../src/service/budget/call-class.ts';
import { createGates, type Gates } from '../../../src/service/budget/gate.ts';
import type { BudgetStore, KeptBudget } from '../../../src/service/budget/shared-budget.ts';
import { DesignApiError } from '../../../src/service/errors.ts';
import type { Exchange } from '../../../src/service/http/exchange.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ANSWER: Exchange = { kind: 'answer', status: 200, headers: {}, body: '{}' };

const observer: CallObserver = {
  ...{ call() {}, took() {}, keepsFailing() {}, works() {} },
  budgetFailed: expect.fail,
};

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A row of a database that takes so long for each statement, in ms. */
function storeOf(limit: number, takesMs: number): BudgetStore {
  const full = { ...newBudget(), limit };
  let kept: KeptBudget = { revision: 1, budget: full, changedAt: new Date() };
  return {
    async read() {
      await sleep(takesMs);
      return { kept, aheadSeconds: 0 };
    },
    async replace(_fingerprint, expected, budget, { now }) {
      await sleep(takesMs);
      if (expected !== kept.revision) return undefined;
      kept = { revision: kept.revision + 1, budget, changedAt: now };
      return kept.revision;
    },
  };
}

/** The most calls that arrived within a minute. */
function mostInAMinute(arrivals: readonly number[]): number {
  const sorted = arrivals.toSorted((one, other) => one - other);
  let first = 0;
  return sorted.reduce((most, at, index) => {
    while (at - (sorted[first] ?? at) >= MINUTE_MS) first += 1;
    return Math.max(most, index - first + 1);
  }, 0);
}

const KINDS = [
  { method: 'POST', callClass: 'person' },
  { method: 'GET', callClass: 'person' },
  { method: 'GET', callClass: 'posted' },
  { method: 'GET', callClass: 'background' },
  { method: 'GET', callClass: 'watch' },
] as const;

const SUBMISSION = { operation: 'test', ...KINDS[0] };

const burst = fc.record({
  kind: fc.constantFrom(...KINDS),
  calls: fc.integer({ min: 1, max: 20 }),
  replica: fc.integer({ min: 0, max: 2 }),
  restarts: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
  arrivesAfterMs: fc.integer({ min: 0, max: 1_900 }),
  takesMs: fc.constantFrom(0, 50, 3_000, 9_000),
  setBackMs: fc.constantFrom(0, 0, 0, 0, 30_000, HOUR_MS),
  thenMs: fc.constantFrom(0, 1, 40, 700, 1_500, 4_000, 17_000, 59_000, 61_000),
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
});

const now = () => new Date();

describe('in any 60 seconds', () => {
  it('no more calls arrive than allowed, across replicas, restarts, and a clock that is set back', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom(0, 5, 400, 5_000),
        fc.array(burst, { minLength: 5, maxLength: 30 }),
        async (limit, storeTakesMs, bursts) => {
          const store = storeOf(limit, storeTakesMs);
          const start = () => createGates({ store, now, observer });
          const replicas: Gates[] = [start(), start(), start()];
          const arrivals: number[] = [];
          let setBackMs = 0;
          const trueTime = () => Date.now() + setBackMs;
          async function call(gates: Gates, one: (typeof bursts)[number]): Promise<void> {
            const made = gates
              .of('key')
              .pass({ operation: 'test', ...one.kind }, async (maySend) => {
                await sleep(one.arrivesAfterMs);
                if (maySend?.() === false)
                  return { kind: 'fault', sent: false, fault: 'withheld', reason: '' };
                arrivals.push(trueTime());
                await sleep(one.takesMs);
                return ANSWER;
              });
            await made.catch((error: unknown) => expect(error).toBeInstanceOf(DesignApiError));
          }
          const calls: Promise<void>[] = [];
          for (const one of bursts) {
            if (one.restarts) replicas[one.replica] = start();
            const gates = replicas[one.replica] ?? start();
            for (let count = 0; count < one.calls; count += 1) calls.push(call(gates, one));
            await vi.advanceTimersByTimeAsync(one.thenMs);
            setBackMs += one.setBackMs;
            vi.setSystemTime(Date.now() - one.setBackMs);
          }
          const end = Promise.all(calls);
          await vi.advanceTimersByTimeAsync(80 * MINUTE_MS);
          await end;
          expect(mostInAMinute(arrivals)).toBeLessThanOrEqual(limit);
        },
      ),
      { numRuns: 300 },
    );
  }, 120_000);
});

it('an answer that is stored after the clock was set back lets no other call be forgotten', async () => {
  const LIMIT = 11;
  const gates = createGates({ store: storeOf(LIMIT, 400), now, observer });
  let sent = 0;
  const send = (calls: number, takesMs = 0) => {
    for (let count = 0; count < calls; count += 1) {
      const call = gates.of('key').pass(SUBMISSION, async () => {
        sent += 1;
        await sleep(takesMs);
        return ANSWER;
      });
      call.catch((error: unknown) => expect(error).toBeInstanceOf(DesignApiError));
    }
  };
  send(1, 20_000);
  send(LIMIT - 2);
  await vi.advanceTimersByTimeAsync(20_600);
  // The answer waits for its turn, because the grant of this call is being stored.
  send(1);
  await vi.advanceTimersByTimeAsync(300);
  vi.setSystemTime(Date.now() - HOUR_MS);
  await vi.advanceTimersByTimeAsync(2_000);
  send(LIMIT);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent).toBe(LIMIT);
});

it.each([
  ['forward', HOUR_MS],
  ['back', -HOUR_MS],
])(
  'two minutes after it meets a clock set %s by an hour, all calls may be made',
  async (_, byMs) => {
    const LIMIT = 60;
    const gates = createGates({ store: storeOf(LIMIT, 0), now, observer });
    async function sendAll(): Promise<number> {
      let sent = 0;
      for (let count = 0; count < LIMIT; count += 1) {
        const call = gates.of('key').pass(SUBMISSION, async () => {
          sent += 1;
          return ANSWER;
        });
        call.catch((error: unknown) => expect(error).toBeInstanceOf(DesignApiError));
        await vi.advanceTimersByTimeAsync(1);
      }
      return sent;
    }
    expect(await sendAll()).toBe(LIMIT);
    vi.setSystemTime(Date.now() + byMs);
    await sendAll();
    await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
    expect(await sendAll()).toBe(LIMIT);
  },
);
