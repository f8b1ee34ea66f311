import {
  CALL_CLASSES,
  CALL_OUTCOMES,
  type CallClass,
  type CallOutcome,
} from '../../service/budget/call-class.ts';
import type { Exchange } from '../../service/http/exchange.ts';
import type { MetricKinds } from './metrics.ts';

/** How a cache answered: fresh, stale but shown, known not to be readable, or not at all. */
type CacheAnswer = 'hit' | 'stale' | 'negative' | 'miss';

type KeyState = {
  fingerprint: string;
  /** Calls that the key may still make in the current minute. */
  left: number;
  waiting(callClass: CallClass): number;
  isBreakerOpen: boolean;
};

/** Up to the longest that a call may take. */
const CALL_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** How a call ended: the status of its answer, or why there was none. */
const CALL_ENDS = [
  '2xx',
  '3xx',
  '401',
  '403',
  '404',
  '429',
  '4xx',
  '5xx',
  'network',
  'timed_out',
  'aborted',
  'withheld',
];

/** The service may answer with any status, so those without a meaning of their own are counted together. */
function endOf(result: Exchange): string {
  if (result.kind === 'fault') return result.fault;
  const status = String(result.status);
  const group = `${status.charAt(0)}xx`;
  if (CALL_ENDS.includes(status)) return status;
  return CALL_ENDS.includes(group) ? group : '5xx';
}

export function createServiceMetrics({ counter, gauge, histogram, atScrape }: MetricKinds) {
  const calls = counter(
    'design_request_service_calls_total',
    'Calls to the design service, by who waits for them and outcome',
    ['class', 'outcome'],
  );
  const ends = counter(
    'design_request_service_answers_total',
    'Calls to the design service that were made, by method (POST creates a card) and how they ended',
    ['method', 'outcome'],
  );
  const durations = histogram(
    'design_request_service_call_seconds',
    'Duration of calls to the design service, by operation',
    CALL_SECONDS,
    ['operation'],
  );
  // Prometheus doesn't notice the first increase of a series that appears with it.
  for (const callClass of CALL_CLASSES)
    for (const outcome of CALL_OUTCOMES) calls.inc({ class: callClass, outcome }, 0);
  for (const method of ['GET', 'POST'])
    for (const outcome of CALL_ENDS) ends.inc({ method, outcome }, 0);
  const budgetErrors = counter(
    'design_request_budget_errors_total',
    'Failures to read or write the budget',
  );
  const left = gauge(
    'design_request_budget_left_calls',
    'Calls that an API key in use may still make in the current minute',
    ['key'],
  );
  const waiting = gauge(
    'design_request_waiting_calls',
    'Calls queued in memory, by who waits for them',
    ['class'],
  );
  const breakers = gauge(
    'design_request_open_breakers',
    'API keys whose breaker is open, so that calls that can wait are not made',
  );
  const caches = counter(
    'design_request_cache_answers_total',
    'Answers of the caches, by cache and kind',
    ['cache', 'answer'],
  );

  return {
    call: (callClass: CallClass, outcome: CallOutcome) => calls.inc({ class: callClass, outcome }),
    took(call: { operation: string; method: 'GET' | 'POST' }, result: Exchange, seconds: number) {
      const { operation, method } = call;
      ends.inc({ method, outcome: endOf(result) });
      durations.observe({ operation }, seconds);
    },
    budgetFailed: () => budgetErrors.inc(),
    keys: (states: () => readonly KeyState[]) =>
      atScrape(() => {
        const keys = states();
        left.reset();
        for (const key of keys) left.set({ key: key.fingerprint }, key.left);
        for (const callClass of CALL_CLASSES) {
          const calls = keys.reduce((sum, key) => sum + key.waiting(callClass), 0);
          waiting.set({ class: callClass }, calls);
        }
        breakers.set(keys.filter(({ isBreakerOpen }) => isBreakerOpen).length);
      }),
    cache: (name: string, answer: CacheAnswer) => caches.inc({ cache: name, answer }),
  };
}

/** Slack waits three seconds, for an acknowledgment as well as for a modal. */
const THREE_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 2.5, 3];
/** Up to the timeout of a call to Slack. */
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

export function createSlackMetrics({ counter, gauge, histogram, atScrape }: MetricKinds) {
  const deliveries = histogram(
    'design_request_acknowledgment_seconds',
    'Time until a delivery from Slack was answered, by kind and outcome. Slack waits 3 s',
    THREE_SECONDS,
    ['kind', 'outcome'],
  );
  const refused = counter(
    'design_request_deliveries_refused_total',
    'Deliveries over HTTP that were refused, by reason',
    ['reason'],
  );
  for (const reason of DELIVERY_REFUSALS) refused.inc({ reason }, 0);
  const modals = histogram(
    'design_request_modal_open_seconds',
    'Time from a command or click to Slack’s answer to views.open or views.push. Slack allows 3 s',
    THREE_SECONDS,
  );
  const calls = histogram(
    'design_request_slack_call_seconds',
    'Duration of calls to Slack, by method',
    SLACK_CALL_SECONDS,
    ['method'],
  );
  const errors = counter(
    'design_request_slack_errors_total',
    'Calls to Slack that failed, by method and Slack’s code, http_<status>, or the kind of network error',
    ['method', 'code'],
  );
  const codes = new Set<string>();
  /** Limits the values of the label, whatever Slack answers. */
  const known = (code: string) => {
    if (CODE.test(code) && codes.size < MOST_CODES) codes.add(code);
    return codes.has(code) ? code : 'other';
  };
  const silent = gauge(
    'design_request_slack_silent_seconds',
    'Time since the last delivery from Slack, or since the start',
  );
  const connected = gauge(
    'design_request_slack_connected',
    'In Socket Mode, 1 while the socket is connected, otherwise 0',
    // Without a label it would be 0 over HTTP, too.
    ['transport'],
  );

  return {
    /** @param kind from a closed list */
    delivered: (kind: string, outcome: DeliveryOutcome, seconds: number) =>
      deliveries.observe({ kind, outcome }, seconds),
    /** Over HTTP, before it was read. */
    refused: (reason: DeliveryRefusal) => refused.inc({ reason }),
    modalOpened: (seconds: number) => modals.observe(seconds),
    called(method: string, seconds: number, code: string | undefined) {
      calls.observe({ method }, seconds);
      if (code !== undefined) errors.inc({ method, code: known(code) });
    },
    contact: (read: () => SlackContact) =>
      atScrape(() => {
        const { silentSeconds, isConnected } = read();
        silent.set(silentSeconds);
        if (isConnected !== undefined) connected.set({ transport: 'socket' }, Number(isConnected));
      }),
  };
}
