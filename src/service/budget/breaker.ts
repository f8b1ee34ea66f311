import type { Exchange } from '../http/exchange.ts';
import type { CallClass, CallObserver } from './call-class.ts';

/**
 * A circuit breaker: while the service keeps failing, it stops calls that can wait. A person's call is always
 * made; if it succeeds, the breaker closes.
 *
 * Our own code, because the maintained libraries treat all callers alike.
 */
export type Breaker = {
  /** @returns undefined if a call of this class may be made, otherwise when to try again, in ms */
  holdsUntil(callClass: CallClass, now: number): number | undefined;
  /** After each pause, one trial call is made, of any class: at night, only watched cards are read. */
  beginTrial(): void;
  endTrial(): void;
  /** Records the result of a call. */
  record(exchange: Exchange, now: number): void;
  isOpen(): boolean;
};

/** Failures in a row that open the breaker. One read with its retries can be four. */
const FAILURES_IN_A_ROW = 5;
/** Pauses before a trial call, doubled each time, in ms. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;

export function createBreaker(observer: CallObserver): Breaker {
  let failures = 0;
  let pauses = 0;
  let openUntil: number | undefined;
  let isTrying = false;

  return {
    holdsUntil(callClass, now) {
      if (openUntil === undefined || callClass === 'person') return undefined;
      // A longer pause than the longest one means that the clock was set back.
      if (now < openUntil && openUntil - now <= LONGEST_PAUSE_MS) return openUntil;
      return isTrying ? now + FIRST_PAUSE_MS : undefined;
    },
    beginTrial() {
      isTrying = true;
    },
    endTrial() {
      isTrying = false;
    },
    record(exchange, now) {
      const failed = hasFailed(exchange);
      if (failed === undefined) return;
      if (!failed) {
        failures = 0;
        pauses = 0;
        openUntil = undefined;
        observer.works();
        return;
      }
      failures += 1;
      if (failures < FAILURES_IN_A_ROW || (openUntil !== undefined && now < openUntil)) return;
      openUntil = now + Math.min(FIRST_PAUSE_MS * 2 ** pauses, LONGEST_PAUSE_MS);
      pauses += 1;
      observer.keepsFailing(reasonOf(exchange));
    },
    isOpen: () => openUntil !== undefined,
  };
}

function reasonOf(exchange: Exchange): string {
  if ('fault' in exchange && exchange.fault === 'timed_out') return 'no answer in time';
  return 'reason' in exchange ? exchange.reason : `HTTP ${exchange.status}`;
}

/** @returns undefined if the result says nothing about the service: the caller aborted, or nothing was sent */
function hasFailed(exchange: Exchange): boolean | undefined {
  if (exchange.kind === 'fault') {
    return exchange.fault === 'aborted' || exchange.fault === 'withheld' ? undefined : true;
  }
  if (exchange.body === undefined && exchange.fault === 'timed_out') return true;
  return exchange.status >= 500 || exchange.status === 408;
}
