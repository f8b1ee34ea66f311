import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { CALL_CLASSES, type CallClass, type CallOutcome } from '../service/budget/call-class.ts';

/** How a cache answered: fresh, old but shown, known to be absent, or not at all. */
type CacheAnswer = 'hit' | 'stale' | 'negative' | 'miss';

/** Counts what operators look at. Nothing in it names a workspace, a person, a card or a key. */
export type Metrics = {
  /** One call to the service, or one that was not made. */
  call(callClass: CallClass, outcome: CallOutcome): void;
  /** How long a call took. @param outcome `answered`, or the fault that ended it */
  took(operation: string, outcome: string, seconds: number): void;
  /** The budget could not be read or written, and calls were not made for it. */
  budgetTrouble(): void;
  /** Where the state of the keys in use is to be found whenever somebody looks. */
  keys(source: () => readonly KeyState[]): void;
  /** One answer of a cache, such as `cards`. */
  cache(name: string, answer: CacheAnswer): void;
  /** Everything, in Prometheus' text format. */
  text(): Promise<string>;
  /** The format of `text`, as an HTTP content type. */
  contentType: string;
};

/** One API key, by its fingerprint: the calls that it may still make, and those that wait in memory. */
type KeyState = {
  fingerprint: string;
  left: number;
  waiting(callClass: CallClass): number;
  isUnwell: boolean;
};

/** From an answer out of the next room to the longest that a call may take, in seconds. */
const CALL_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

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
  const durations = new Histogram({
    name: `${PREFIX}service_call_seconds`,
    help: 'How long calls to the design service took, by operation and how they ended',
    labelNames: ['operation', 'outcome'],
    buckets: CALL_SECONDS,
    registers,
  });
  const troubles = new Counter({
    name: `${PREFIX}budget_troubles_total`,
    help: 'Times that the budget could not be read or written',
    registers,
  });
  let keyStates: () => readonly KeyState[] = () => [];
  new Gauge({
    name: `${PREFIX}budget_left_calls`,
    help: 'Calls that an API key in use may still make in the current minute',
    labelNames: ['key'],
    registers,
    collect() {
      this.reset();
      for (const { fingerprint, left } of keyStates()) this.set({ key: fingerprint }, left);
    },
  });
  new Gauge({
    name: `${PREFIX}waiting_calls`,
    help: 'Calls that wait in memory for their turn, by who waits for them',
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
    name: `${PREFIX}unwell_keys`,
    help: 'API keys whose calls fail, so that calls that can wait are not made',
    registers,
    collect() {
      this.set(keyStates().filter(({ isUnwell }) => isUnwell).length);
    },
  });
  const caches = new Counter({
    name: `${PREFIX}cache_answers_total`,
    help: 'Answers of the caches by cache and kind',
    labelNames: ['cache', 'answer'],
    registers,
  });

  return {
    call: (callClass, outcome) => calls.inc({ class: callClass, outcome }),
    took: (operation, outcome, seconds) => durations.observe({ operation, outcome }, seconds),
    budgetTrouble: () => troubles.inc(),
    keys(source) {
      keyStates = source;
    },
    cache: (name, answer) => caches.inc({ cache: name, answer }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
