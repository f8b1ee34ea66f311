import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, vi } from 'vitest';
import { newBudget } from '../../../src/service/budget/budget.ts';
import type { CallClass, CallObserver } from '../../../src/service/budget/call-class.ts';
import { createGates } from '../../../src/service/budget/gate.ts';
import type { BudgetStore, VersionedBudget } from '../../../src/service/budget/shared-budget.ts';
import { DesignApiError } from '../../../src/service/errors.ts';
import type { Exchange } from '../../../src/service/http/exchange.ts';
import { createRateLimiter } from '../../stand-ins/design-service/rate-limit.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const START = Date.parse('2026-05-04T09:00:00Z');

const WITHHELD: Exchange = { kind: 'fault', sent: false, fault: 'withheld', reason: '' };
const KEY = 'key';

/** The result of a call: answered, or the code of its refusal and the time to retry. */
export type CallResult = { code: string; retryAt?: number | undefined };

export const answerWith = (status: number, headers: Record<string, string> = {}): Exchange => ({
  kind: 'answer',
  status,
  headers,
  body: '{}',
});

export const unobserved: CallObserver = {
  call() {},
  took() {},
  keepsFailing() {},
  works() {},
  budgetFailed: expect.fail,
};

export const times = <Item>(count: number, make: () => Item) => Array.from({ length: count }, make);
export const answered = (results: readonly CallResult[]) =>
  results.filter(({ code }) => code === 'answered').length;

const sleep = async (ms: number) =>
  ms > 0 ? new Promise<void>((resolve) => setTimeout(resolve, ms)) : undefined;

/** Budgets in memory, like a database that takes so long for each statement, in ms. */
export function budgetsInMemory({ limit = 0, takesMs = 0 } = {}): BudgetStore {
  const rows = new Map<string, VersionedBudget>();
  if (limit > 0)
    rows.set(KEY, { revision: 1, budget: { ...newBudget(), limit }, changedAt: new Date() });
  return {
    async read(fingerprint) {
      await sleep(takesMs);
      return { kept: rows.get(fingerprint), aheadSeconds: 0 };
    },
    async replace(fingerprint, expected, budget, { now }) {
      await sleep(takesMs);
      if (expected !== rows.get(fingerprint)?.revision) return undefined;
      const revision = (expected ?? 0) + 1;
      rows.set(fingerprint, { revision, budget, changedAt: now });
      return revision;
    },
  };
}

/** Makes this many calls at the same time. Some of them wait a moment for a slot, so the clock moves. */
export async function together(count: number, call: () => Promise<CallResult>) {
  let isOver = false;
  const results = Promise.all(times(count, call)).finally(() => {
    isOver = true;
  });
  for (await setImmediate(); !isOver; await setImmediate()) vi.advanceTimersToNextTimer();
  return results;
}

/** Vitest's own way waits for a real timer after each of the test's, which takes minutes for tens of thousands. */
async function pass(ms: number): Promise<void> {
  const end = Date.now() + ms;
  setTimeout(() => undefined, ms);
  for (await setImmediate(); Date.now() < end; await setImmediate()) vi.advanceTimersToNextTimer();
  // What is due now, too.
  vi.advanceTimersByTime(0);
  await setImmediate();
}

/** Timers and the date are the test's until it ends. */
export function stopTheClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: START });
  onTestFinished(() => void vi.useRealTimers());
}

type CallOptions = {
  key?: string;
  method?: 'GET' | 'POST';
  signal?: AbortSignal;
  /** Runs between the grant and the first byte. */
  frozen?: () => Promise<unknown>;
  arrivesAfterMs?: number;
  takesMs?: number;
};

/** Processes of the app, and the service as they reach it, which counts calls and announces its limit. */
export function servedKeys({
  limit = 60,
  window = 'sliding' as 'fixed' | 'sliding',
  store = budgetsInMemory(),
  isAnnounced = true,
} = {}) {
  let setBackMs = 0;
  const trueTime = () => Date.now() + setBackMs;
  const rates = createRateLimiter(() => new Date(trueTime()), { window });
  const arrivals: { at: number; key: string; callClass: CallClass; status: number }[] = [];
  const service = {
    limit,
    /** Instead of an ordinary answer. */
    answer: (_callClass: CallClass, _key: string): Exchange | Promise<Exchange> | undefined =>
      undefined,
    /** Another client uses the key. */
    callElsewhere: () => void rates.count(KEY, service.limit),
  };

  async function arrive(callClass: CallClass, key: string, takesMs: number): Promise<Exchange> {
    const { allowed, remaining, resetsAt } = rates.count(key, service.limit);
    const status = allowed ? 200 : 429;
    arrivals.push({ at: trueTime(), key, callClass, status });
    await sleep(takesMs);
    const headers = isAnnounced && {
      'x-ratelimit-limit': `${service.limit}`,
      'x-ratelimit-remaining': `${remaining}`,
      'x-ratelimit-reset': `${resetsAt}`,
    };
    return (await service.answer(callClass, key)) ?? answerWith(status, headers || {});
  }

  /** A process of its own, which remembers nothing of those before it. */
  function start(ownStore = store, observer = unobserved) {
    const seen: string[] = [];
    const gates = createGates({
      store: ownStore,
      now: () => new Date(),
      observer: {
        ...observer,
        call: (callClass, outcome) => void seen.push(`${callClass} ${outcome}`),
      },
    });
    async function call(callClass: CallClass, options: CallOptions = {}): Promise<CallResult> {
      const { key = KEY, method = 'GET', signal, frozen, arrivesAfterMs = 0 } = options;
      const gated = { operation: 'test', method, callClass, signal };
      const passing = gates.of(key).pass(gated, async (maySend) => {
        await sleep(arrivesAfterMs);
        await frozen?.();
        if (maySend?.() === false) return WITHHELD;
        return arrive(callClass, key, options.takesMs ?? 0);
      });
      return passing.then(
        (exchange) => {
          if (exchange.kind === 'fault') return { code: exchange.fault };
          return { code: exchange.status < 300 ? 'answered' : `${exchange.status}` };
        },
        (error: unknown) => {
          if (!(error instanceof DesignApiError)) throw error;
          return { code: error.code, retryAt: error.retryAt?.getTime() };
        },
      );
    }
    return { call, seen, gates };
  }

  return {
    service,
    arrivals,
    start,
    pass,
    ...start(),
    setBack(ms: number) {
      setBackMs += ms;
      vi.setSystemTime(Date.now() - ms);
    },
    /** The most calls that arrived within a minute. */
    most() {
      const moments = arrivals.map(({ at }) => at).toSorted((one, other) => one - other);
      let first = 0;
      return moments.reduce((most, at, index) => {
        while (at - (moments[first] ?? at) >= MINUTE_MS) first += 1;
        return Math.max(most, index - first + 1);
      }, 0);
    },
  };
}
