import type { Exchange } from '../http/exchange.ts';
import type { CallClass } from './call-class.ts';

/**
 * Spares a service that is unwell the calls that can wait. A person's call always goes, and its success
 * is how the others learn that the service is well again.
 *
 * Own code: the kept libraries hold up every caller alike, and know no classes.
 */
export type Breaker = {
  /** @returns undefined where a call of this class may go, else the moment (ms) to ask again */
  holdsUntil(callClass: CallClass, now: number): number | undefined;
  /** Takes the one try that is made after each pause, until it ends. */
  beginTry(): void;
  endTry(): void;
  /** What came of a call. */
  note(exchange: Exchange, now: number): void;
  isOpen(): boolean;
};

/** Failures in a row that make a service unwell; one read makes up to four. */
const FAILURES_IN_A_ROW = 5;
/** Pauses before a call that can wait is tried, in ms: the first, doubled each time, and the longest. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;

export function createBreaker(): Breaker {
  let failures = 0;
  let pauses = 0;
  let openUntil: number | undefined;
  let isTrying = false;

  function holdsPosted(until: number, now: number): number | undefined {
    // A pause that is longer than any is one before the clock was set back.
    if (now < until && until - now <= LONGEST_PAUSE_MS) return until;
    return isTrying ? now + FIRST_PAUSE_MS : undefined;
  }

  return {
    holdsUntil(callClass, now) {
      if (openUntil === undefined || callClass === 'person') return undefined;
      const posted = holdsPosted(openUntil, now);
      return callClass === 'posted' ? posted : (posted ?? now + FIRST_PAUSE_MS);
    },
    beginTry() {
      isTrying = true;
    },
    endTry() {
      isTrying = false;
    },
    note(exchange, now) {
      const failed = hasFailed(exchange);
      if (failed === undefined) return;
      if (!failed) {
        failures = 0;
        pauses = 0;
        openUntil = undefined;
        return;
      }
      failures += 1;
      if (failures < FAILURES_IN_A_ROW || (openUntil !== undefined && now < openUntil)) return;
      openUntil = now + Math.min(FIRST_PAUSE_MS * 2 ** pauses, LONGEST_PAUSE_MS);
      pauses += 1;
    },
    isOpen: () => openUntil !== undefined,
  };
}

/** Undefined if it says nothing about the service: its caller stopped waiting, or it was not sent. */
function hasFailed(exchange: Exchange): boolean | undefined {
  if (exchange.kind === 'fault') {
    return exchange.fault === 'aborted' || exchange.fault === 'withheld' ? undefined : true;
  }
  if (exchange.body === undefined && exchange.fault === 'timed_out') return true;
  return exchange.status >= 500 || exchange.status === 408;
}
