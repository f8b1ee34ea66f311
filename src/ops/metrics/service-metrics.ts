import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import {
  CALL_CLASSES,
  CALL_OUTCOMES,
  type CallClass,
  type CallOutcome,
} from '../../service/budget/call-class.ts';
import type { Exchange } from '../../service/http/exchange.ts';

/** How a cache answered: fresh, stale but shown, known not to be readable, or not at all. */
type CacheAnswer = 'hit' | 'stale' | 'negative' | 'miss';

type KeyState = {
  fingerprint: string;
  /** Calls that the key may still make in the current minute. */
  left: number;
  /** Calls that wait in memory. */
  waiting(callClass: CallClass): number;
  isBreakerOpen: boolean;
};

/** Histogram buckets, up to the longest that a call may take, in seconds. */
const CALL_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** How a call ended: the status of its answer, or why there was none. */
const CALL_ENDS = [
  ...['2xx', '3xx', '401', '403', '404', '429', '4xx', '5xx'],
  ...['network', 'timed_out', 'aborted', 'withheld'],
];

/** The service may answer with any status, so those without a meaning of their own are counted together. */
function endOf(result: Exchange): string {
  if (result.kind === 'fault') return result.fault;
  const status = String(result.status);
  const group = `${status.charAt(0)}xx`;
  return CALL_ENDS.find((end) => end === status) ?? CALL_ENDS.find((end) => end === group) ?? '5xx';
}

/** Calls to the design service, and what saved some. */
export function createServiceMetrics(registers: Registry[]) {
  const calls = new Counter({
    name: 'design_request_service_calls_total',
    help: 'Calls to the design service, by who waits for them and outcome',
    labelNames: ['class', 'outcome'],
    registers,
  });
  const ends = new Counter({
    name: 'design_request_service_answers_total',
    help: 'Calls to the design service that were made, by method (POST creates a card) and how they ended',
    labelNames: ['method', 'outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'design_request_service_call_seconds',
    help: 'Duration of calls to the design service, by operation',
    labelNames: ['operation'],
    buckets: CALL_SECONDS,
    registers,
  });
  // Prometheus doesn't notice the first increase of a series that appears with it.
  for (const callClass of CALL_CLASSES)
    for (const outcome of CALL_OUTCOMES) calls.inc({ class: callClass, outcome }, 0);
  for (const method of ['GET', 'POST'])
    for (const outcome of CALL_ENDS) ends.inc({ method, outcome }, 0);
  const budgetErrors = new Counter({
    name: 'design_request_budget_errors_total',
    help: 'Failures to read or write the budget',
    registers,
  });
  let keyStates: () => readonly KeyState[] = () => [];
  new Gauge({
    name: 'design_request_budget_left_calls',
    help: 'Calls that an API key in use may still make in the current minute',
    labelNames: ['key'],
    registers,
    collect() {
      this.reset();
      for (const { fingerprint, left } of keyStates()) this.set({ key: fingerprint }, left);
    },
  });
  new Gauge({
    name: 'design_request_waiting_calls',
    help: 'Calls queued in memory, by who waits for them',
    labelNames: ['class'],
    registers,
    collect() {
      for (const callClass of CALL_CLASSES) {
        const waiting = keyStates().map((key) => key.waiting(callClass));
        this.set(
          { class: callClass },
          waiting.reduce((sum, calls) => sum + calls, 0),
        );
      }
    },
  });
  new Gauge({
    name: 'design_request_open_breakers',
    help: 'API keys whose breaker is open, so that calls that can wait are not made',
    registers,
    collect() {
      this.set(keyStates().filter(({ isBreakerOpen }) => isBreakerOpen).length);
    },
  });
  const caches = new Counter({
    name: 'design_request_cache_answers_total',
    help: 'Answers of the caches, by cache and kind',
    labelNames: ['cache', 'answer'],
    registers,
  });

  return {
    /** Counts a call, made or not. */
    call: (callClass: CallClass, outcome: CallOutcome) => calls.inc({ class: callClass, outcome }),
    /** Records the result of a call that was made, and its duration. */
    took(call: { operation: string; method: 'GET' | 'POST' }, result: Exchange, seconds: number) {
      const { operation, method } = call;
      ends.inc({ method, outcome: endOf(result) });
      durations.observe({ operation }, seconds);
    },
    budgetFailed: () => budgetErrors.inc(),
    /** @param source returns the state of the keys in use, at each scrape */
    keys(source: () => readonly KeyState[]) {
      keyStates = source;
    },
    /** @param name such as `cards` */
    cache: (name: string, answer: CacheAnswer) => caches.inc({ cache: name, answer }),
  };
}
