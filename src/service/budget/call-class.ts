import type { Exchange } from '../http/exchange.ts';

/**
 * Who waits for a call to the service, most urgent first: a person (a form, a submission, a refresh), a posted
 * link, background work (composer previews, revalidation), and watching.
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
