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
 * A class may begin a call only while fewer than so many are under way with the key in this process, of
 * all classes together. A service that stalls then holds up few jobs, and people still get through.
 */
export const MOST_AT_ONCE: Record<CallClass, number> = {
  person: 10,
  posted: 6,
  background: 3,
  watch: 2,
};
