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

/** Slack waits three seconds, for an acknowledgment as well as for a modal. In seconds. */
const THREE_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 2.5, 3];
/** Up to the timeout of a call to Slack, in seconds. */
const SLACK_CALL_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Slack's error codes look like this; anything else is counted as `other`. */
const CODE = /^[a-z\d_]{1,60}$/;
/** Far more codes than Slack's documentation lists for our methods. Further ones are counted as `other`. */
const MOST_CODES = 100;

/** The first three are about the signature: it is missing, another secret's, or more than five minutes from now. */
const DELIVERY_REFUSALS = ['unsigned', 'signature', 'timestamp', 'too_large', 'busy'] as const;
export type DeliveryRefusal = (typeof DELIVERY_REFUSALS)[number];

/** How a delivery from Slack was answered: with 200, with an error that makes Slack retry, or as not understood. */
export type DeliveryOutcome = 'acknowledged' | 'failed' | 'refused';

type SlackContact = {
  /** Since the last delivery, or since the start. */
  silentSeconds: number;
  /** Whether the socket is connected; undefined without Socket Mode. */
  isConnected: boolean | undefined;
};

export type SlackMetrics = ReturnType<typeof createSlackMetrics>;

/** What comes from Slack, and what is asked of it. */
export function createSlackMetrics(registers: Registry[]) {
  const deliveries = new Histogram({
    name: 'design_request_acknowledgment_seconds',
    help: 'Time until a delivery from Slack was answered, by kind and outcome. Slack waits 3 s',
    labelNames: ['kind', 'outcome'],
    buckets: THREE_SECONDS,
    registers,
  });
  const refused = new Counter({
    name: 'design_request_deliveries_refused_total',
    help: 'Deliveries over HTTP that were refused, by reason',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of DELIVERY_REFUSALS) refused.inc({ reason }, 0);
  const modals = new Histogram({
    name: 'design_request_modal_open_seconds',
    help: 'Time from a command or click to Slack’s answer to views.open or views.push. Slack allows 3 s',
    buckets: THREE_SECONDS,
    registers,
  });
  const calls = new Histogram({
    name: 'design_request_slack_call_seconds',
    help: 'Duration of calls to Slack, by method',
    labelNames: ['method'],
    buckets: SLACK_CALL_SECONDS,
    registers,
  });
  const errors = new Counter({
    name: 'design_request_slack_errors_total',
    help: 'Calls to Slack that failed, by method and Slack’s code, http_<status>, or the kind of network error',
    labelNames: ['method', 'code'],
    registers,
  });
  const codes = new Set<string>();
  /** Limits the values of the label, whatever Slack answers. */
  const known = (code: string) => {
    if (CODE.test(code) && codes.size < MOST_CODES) codes.add(code);
    return codes.has(code) ? code : 'other';
  };
  let contact: () => SlackContact | undefined = () => undefined;
  new Gauge({
    name: 'design_request_slack_silent_seconds',
    help: 'Time since the last delivery from Slack, or since the start',
    registers,
    collect() {
      this.set(contact()?.silentSeconds ?? 0);
    },
  });
  new Gauge({
    name: 'design_request_slack_connected',
    help: 'In Socket Mode, 1 while the socket is connected, otherwise 0',
    // Without a label it would be 0 over HTTP, too.
    labelNames: ['transport'],
    registers,
    collect() {
      const isConnected = contact()?.isConnected;
      if (isConnected !== undefined) this.set({ transport: 'socket' }, Number(isConnected));
    },
  });

  return {
    /** @param kind from a closed list */
    delivered: (kind: string, outcome: DeliveryOutcome, seconds: number) =>
      deliveries.observe({ kind, outcome }, seconds),
    /** Over HTTP, before it was read. */
    refused: (reason: DeliveryRefusal) => refused.inc({ reason }),
    modalOpened: (seconds: number) => modals.observe(seconds),
    /** @param code why it failed, if it did */
    called(method: string, seconds: number, code: string | undefined) {
      calls.observe({ method }, seconds);
      if (code !== undefined) errors.inc({ method, code: known(code) });
    },
    /** @param source read at each scrape */
    contact(source: () => SlackContact) {
      contact = source;
    },
  };
}
