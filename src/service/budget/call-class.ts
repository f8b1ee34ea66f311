import type { GatedCall } from './gate.ts';

/**
 * Who waits for a call to the service, the most pressing first: a person (a form, a submission, a
 * refresh), a link that was posted, what only makes something nicer or newer (composer previews,
 * refreshing behind), and watching.
 */
export const CALL_CLASSES = ['person', 'posted', 'background', 'watch'] as const;

export type CallClass = (typeof CALL_CLASSES)[number];

/**
 * What became of a call before it was made: `called` went out, `delayed` waited for budget first (and is
 * counted again as what it then became), `shed` was given up for want of budget, `refused` was answered
 * 429 by the service.
 */
export type CallOutcome = 'called' | 'delayed' | 'shed' | 'refused';

/**
 * The share of a key's calls that a class leaves to those above it. A tenth is enough for people: a form
 * that is warm costs them nothing, an order one call. What nobody waits for stops while there is still
 * enough for a burst of links.
 */
const LEFT_TO_OTHERS: Record<CallClass, number> = {
  person: 0,
  posted: 0.1,
  background: 0.4,
  watch: 0.6,
};

/** How many calls of a minute's `limit` a class leaves to those above it; never all of them. */
export function reserveAbove(callClass: CallClass, limit: number): number {
  return Math.floor(limit * LEFT_TO_OTHERS[callClass]);
}

/**
 * The order in which calls with one key begin: by class, and submissions before what people read. A reader
 * waits in memory for the next call that is left. A submission never does, because while it is "being sent",
 * nobody could say that it was not: it waits on disk and comes back at the moment that it was told.
 */
export const CALL_KINDS = ['submission', ...CALL_CLASSES] as const;

export type CallKind = (typeof CALL_KINDS)[number];

/** A call as far as its turn depends on it. */
export type Asking = { callClass: CallClass; call: GatedCall };

export const kindOf = ({ callClass, call }: Asking): CallKind =>
  call.method === 'POST' ? 'submission' : callClass;

/** While links wait, at least one call in this many is theirs: people who use up the budget can't starve them. */
export const LINKS_GET_ONE_IN = 5;

/**
 * A call may begin only while fewer than this many are under way with the key in this process, of all
 * kinds together. A service that stalls then holds up few jobs, and people still get through.
 */
export const MOST_AT_ONCE: Record<CallKind, number> = {
  submission: 10,
  person: 10,
  posted: 6,
  background: 3,
  watch: 2,
};

/** Slots in addition to those: people who fill all of them while the service is slow can't starve the others. */
export const OWN_SLOTS: Record<CallKind, number> = {
  submission: 2,
  person: 0,
  posted: 2,
  background: 0,
  watch: 0,
};
