import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Slack waits three seconds, for an acknowledgment as well as for a modal. In seconds. */
const THREE_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 2.5, 3];
/** Up to the timeout of a call to Slack, in seconds. */
const CALL_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Slack's error codes look like this; anything else is counted as `other`. */
const CODE = /^[a-z\d_]{1,60}$/;

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
    buckets: CALL_SECONDS,
    registers,
  });
  const errors = new Counter({
    name: 'design_request_slack_errors_total',
    help: 'Calls to Slack that failed, by method and Slack’s code, http_<status>, or the kind of network error',
    labelNames: ['method', 'code'],
    registers,
  });
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
      if (code !== undefined) {
        errors.inc({ method, code: CODE.test(code) ? code : 'other' });
      }
    },
    /** @param source read at each scrape */
    contact(source: () => SlackContact) {
      contact = source;
    },
  };
}
