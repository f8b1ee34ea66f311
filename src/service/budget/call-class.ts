import type { CallEnd } from './call-end.ts';
import type { GatedCall } from './gate.ts';

/**
 * Who waits for a call to the service, most urgent first: a person (a form, a submission, a refresh), a posted
 * link, background work (composer previews, revalidation), and watching.
 */
export const CALL_CLASSES = ['person', 'posted', 'background', 'watch'] as const;

export type CallClass = (typeof CALL_CLASSES)[number];

/**
 * What happened to a call: `called` was made; `delayed` waited first, and is counted again with its result;
 * `shed` was not made, because the budget was used up or the breaker open; `refused` got a 429.
 */
export const CALL_OUTCOMES = ['called', 'delayed', 'shed', 'refused'] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** Receives what happens to calls, for the metrics and the log. */
export type CallObserver = {
  call(callClass: CallClass, outcome: CallOutcome): void;
  /** How a call that was made ended, and its duration. */
  took(call: GatedCall, end: CallEnd, seconds: number): void;
  /** The budget could not be read or written. */
  budgetFailed(error: unknown): void;
  /** The breaker of a key opens. @param reason such as `HTTP 503` */
  keepsFailing(reason: string): void;
  /** A call succeeded. */
  works(): void;
};

/**
 * The share of a key's calls that a class leaves for more urgent classes. A tenth is enough for people, since a
 * form from the cache needs no call, and a request one. Background work stops while there is still enough for
 * a burst of links.
 */
const LEFT_TO_OTHERS: Record<CallClass, number> = {
  person: 0,
  posted: 0.1,
  background: 0.4,
  watch: 0.6,
};

/** How many of a minute's calls a class leaves for more urgent classes; never all of them. */
export function reserveAbove(callClass: CallClass, limit: number): number {
  return Math.floor(limit * LEFT_TO_OTHERS[callClass]);
}

/**
 * The order in which calls of one key begin: by class, with submissions first. A person's read waits in memory
 * for the budget. A submission doesn't, because its request is already in the state `sending`, which would
 * be in doubt after a crash: it fails, and its job retries at the time that it is given.
 */
export const CALL_KINDS = ['submission', ...CALL_CLASSES] as const;

export type CallKind = (typeof CALL_KINDS)[number];

/** A call that asks for a grant. */
export type Asking = { callClass: CallClass; call: GatedCall };

export const kindOf = ({ callClass, call }: Asking): CallKind =>
  call.method === 'POST' ? 'submission' : callClass;

/** While links wait, at least every fifth call is theirs, however many calls people make. */
export const LINKS_GET_ONE_IN = 5;

/**
 * A call may begin only while fewer than this many calls of its key are running in this process, of all kinds
 * together. So a service that stalls blocks only a few jobs, and people still get through.
 */
export const MAX_AT_ONCE: Record<CallKind, number> = {
  submission: 10,
  person: 10,
  posted: 6,
  background: 3,
  watch: 2,
};

/** Additional slots of a kind, so that people's calls can't occupy all slots while the service is slow. */
export const OWN_SLOTS: Record<CallKind, number> = {
  submission: 2,
  person: 0,
  posted: 2,
  background: 0,
  watch: 0,
};
