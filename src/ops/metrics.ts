import { Counter, Gauge, Registry } from 'prom-client';
import type { CallClass } from '../design-api/call-class.ts';

/**
 * What became of a call before it was made: `called` went out, `delayed` waited for budget first (and is
 * counted again as what it then became), `shed` was given up for want of budget, `refused` was answered
 * 429 by the service.
 */
export type CallOutcome = 'called' | 'delayed' | 'shed' | 'refused';

/** How a cache answered: fresh, old but shown, known to be absent, or not at all. */
export type CacheAnswer = 'hit' | 'stale' | 'negative' | 'miss';

/** Counts what operators look at. Nothing in it names a workspace, a person, a card or a key. */
export type Metrics = {
  /** One call to the service, or one that was not made. */
  call(callClass: CallClass, outcome: CallOutcome): void;
  /** How many calls a key may still make in the current minute; the key by its fingerprint. */
  budgetLeft(fingerprint: string, calls: number): void;
  /** One answer of a cache, such as `cards`. */
  cache(name: string, answer: CacheAnswer): void;
  /** Everything, in Prometheus' text format. */
  text(): Promise<string>;
  /** The format of `text`, as an HTTP content type. */
  contentType: string;
};

const PREFIX = 'design_request_';

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const calls = new Counter({
    name: `${PREFIX}service_calls_total`,
    help: 'Calls to the design service by who waits for them and what became of them',
    labelNames: ['class', 'outcome'],
    registers,
  });
  const budget = new Gauge({
    name: `${PREFIX}budget_left_calls`,
    help: 'Calls that an API key may still make in the current minute',
    labelNames: ['key'],
    registers,
  });
  const caches = new Counter({
    name: `${PREFIX}cache_answers_total`,
    help: 'Answers of the caches by cache and kind',
    labelNames: ['cache', 'answer'],
    registers,
  });

  return {
    call: (callClass, outcome) => calls.inc({ class: callClass, outcome }),
    budgetLeft: (fingerprint, left) => budget.set({ key: fingerprint }, left),
    cache: (name, answer) => caches.inc({ cache: name, answer }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
