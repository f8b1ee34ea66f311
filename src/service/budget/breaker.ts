import type { Exchange } from '../http/exchange.ts';
import type { CallObserver } from './call-class.ts';

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
