import type { Exchange } from '../http/exchange.ts';

/**
 * Most urgent first: a person; what was posted and is retried by a job (a link, a confirmation, an open form); background
 * work (composer previews, revalidation); and watching.
 */
export const CALL_CLASSES = ['person', 'posted', 'background', 'watch'] as const;

export type CallClass = (typeof CALL_CLASSES)[number];

/** Submissions, and reads by class. */
export type CallKind = 'submission' | CallClass;

type Policy = {
  /** The share of the key's calls that are left to others. */
  leaves: number;
  /**
   * A call may begin only while fewer calls of its key than this are running in this process, of all kinds together. So
   * a service that stalls blocks only a few jobs, and people still get through.
   */
  atOnce: number;
  /** This many of its kind may always run, so that people's reads can't occupy all slots while the service is slow. */
  ownSlots: number;
  /** How long a call waits in memory, in ms: a person's read for a slot or for budget, a link only for a slot. */
  waitsMs: number;
  /** How many wait in memory; more are refused. */
  mostWaiting: number;
};

const NEVER_WAITS = { waitsMs: 0, mostWaiting: 0 };

/**
 * A submission doesn't wait in memory, because its request is already in the state `sending`, which would be in doubt
 * after a crash: it fails, and its job retries at the time that it is given. A link can wait on disk, too, and in memory
 * occupies a job slot that another key could use. A tenth of the calls is enough for people, since a form from the cache
 * needs no call, and a request needs one. Background work stops while there is still enough for a burst of links.
 */
export const POLICIES: Record<CallKind, Policy> = {
  submission: { leaves: 0, atOnce: 10, ownSlots: 2, ...NEVER_WAITS },
  person: { leaves: 0, atOnce: 10, ownSlots: 0, waitsMs: 5_000, mostWaiting: 100 },
  posted: { leaves: 0.1, atOnce: 6, ownSlots: 2, waitsMs: 1_000, mostWaiting: 20 },
  background: { leaves: 0.4, atOnce: 3, ownSlots: 0, ...NEVER_WAITS },
  watch: { leaves: 0.6, atOnce: 2, ownSlots: 0, ...NEVER_WAITS },
};

/** While links wait, people leave them this share of the calls, less what links have used of it in this minute. */
export const SHARE_OF_WAITING_LINKS = 0.2;

/** A call that passes a gate. */
export type GatedCall = {
  operation: string;
  method: 'GET' | 'POST';
  callClass: CallClass;
  /** Also ends the wait at the gate. */
  signal?: AbortSignal | undefined;
};

export const kindOf = ({ method, callClass }: GatedCall): CallKind =>
  method === 'POST' ? 'submission' : callClass;

/**
 * What happened to a call: `called` was made; `delayed` waited first, and is counted again with its result;
 * `shed` was not made, because the budget was used up or the breaker open; `refused` got a 429.
 */
export const CALL_OUTCOMES = ['called', 'delayed', 'shed', 'refused'] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** Receives what happens to calls, for the metrics and the log. */
export type CallObserver = {
  call(callClass: CallClass, outcome: CallOutcome): void;
  took(call: GatedCall, exchange: Exchange, seconds: number): void;
  budgetFailed(error: unknown): void;
  /** The service failed again, and the key's breaker is open. @param reason such as `HTTP 503` */
  keepsFailing(reason: string): void;
  works(): void;
};

/** Failures in a row that open the breaker. One read with its retries can be four. */
const FAILURES_IN_A_ROW = 5;
/** Pauses before a trial call, doubled each time, in ms. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * A circuit breaker: while the service keeps failing, it stops calls that can wait, except for one after each pause. A
 * person's call is always made; if it succeeds, the breaker closes.
 *
 * Our own code, because the maintained libraries treat all callers alike.
 */
export class Breaker {
  readonly #observer: CallObserver;
  #failures = 0;
  #pauseMs = FIRST_PAUSE_MS;
  /** 0 while it is closed. */
  #openUntil = 0;

  constructor(observer: CallObserver) {
    this.#observer = observer;
  }

  get isOpen(): boolean {
    return this.#openUntil > 0;
  }

  /** When a call that can wait may be made, in ms; 0 if now. */
  openUntil(now: number): number {
    if (now < this.#openUntil) return this.#openUntil;
    // This call is the trial. Calls that come while it runs, or after it has failed, wait for the next one.
    if (this.#openUntil > 0) this.#pause(now);
    return 0;
  }

  record(exchange: Exchange, now: number): void {
    // The caller left, or nothing was sent: that says nothing about the service.
    const isOurs = exchange.kind === 'fault' && ['aborted', 'withheld'].includes(exchange.fault);
    if (isOurs) return;
    const reason = failureOf(exchange);
    if (reason === undefined) {
      this.#failures = 0;
      this.#openUntil = 0;
      this.#pauseMs = FIRST_PAUSE_MS;
      this.#observer.works();
      return;
    }
    this.#failures += 1;
    if (this.#failures < FAILURES_IN_A_ROW) return;
    if (this.#openUntil === 0) this.#pause(now);
    this.#observer.keepsFailing(reason);
  }

  #pause(now: number): void {
    this.#openUntil = now + this.#pauseMs;
    this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
  }
}

function failureOf(exchange: Exchange): string | undefined {
  const fault = exchange.kind === 'fault' ? exchange.fault : exchange.broken?.fault;
  if (fault === 'timed_out') return 'no answer in time';
  if (exchange.kind === 'fault') return exchange.reason;
  const hasFailed = exchange.status >= 500 || exchange.status === 408;
  return hasFailed ? `HTTP ${exchange.status}` : undefined;
}
