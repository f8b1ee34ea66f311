import { isFinished } from './finished.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

// Chosen by what the simulated day shows (row 24 of `npm run tool -- faults`).

/** The shortest time between two reads of a card, after a change. */
export const SHORTEST_MS = 2 * MINUTE_MS;
const LONGEST_MS = 2 * HOUR_MS;
/** A message about new files is not followed by another one sooner than this. */
export const COLLECT_MS = 10 * MINUTE_MS;
/** From a card's creation to its first read: the confirmation has usually read it by then. */
export const FIRST_READ_MS = 1_000;
/** Slack ignores a Work Object that isn't newer than what it shows, and counts in seconds. */
export const DRAWN_EVERY_MS = 1_000;
/** How much of the quiet time to wait again: what changed recently changes again soon. */
const SHARE_OF_QUIET = 1 / 20;
/** Spreads reads by up to this share, so that cards created together aren't read together. */
const JITTER = 0.1;

/** Reviews reopen finished cards, mostly within days. */
const FINISHED_FOR_MS = 3 * DAY_MS;
/** A card that nobody has touched for so long is settled, whatever its status is called. */
const QUIET_FOR_MS = 30 * DAY_MS;
/** The service may have had a bad day, or an admin may be changing what the key can read. */
const UNREADABLE_FOR_MS = DAY_MS;

export function nextReadAt(changedAt: Date, now: Date): Date {
  const jitter = 1 - JITTER + 2 * JITTER * Math.random();
  return new Date(now.getTime() + pauseMs(changedAt, now) * jitter);
}

/** After a failure: neither at once nor all cards together. */
export const retryReadAt = (now: Date): Date =>
  new Date(now.getTime() + SHORTEST_MS * Math.random());

/**
 * For a card for which no call was left. If a key has too few for its cards, all are read less often
 * by the same factor, so recently changed ones still come first, and few attempts are in vain.
 *
 * @param from when there may be calls again
 */
export const postponedReadAt = (changedAt: Date, from: Date): Date =>
  new Date(from.getTime() + pauseMs(changedAt, from) * Math.random());

function pauseMs(changedAt: Date, now: Date): number {
  const quietMs = now.getTime() - changedAt.getTime();
  return Math.min(Math.max(quietMs * SHARE_OF_QUIET, SHORTEST_MS), LONGEST_MS);
}

/** Whether a card needs no more watching: it is finished, or nothing has happened for long. */
export function isSettled(changedAt: Date, status: string | undefined, now: Date): boolean {
  const quietMs = now.getTime() - changedAt.getTime();
  return quietMs > (isFinished(status) ? FINISHED_FOR_MS : QUIET_FOR_MS);
}

export const isGone = (unreadableSince: Date, now: Date): boolean =>
  now.getTime() - unreadableSince.getTime() > UNREADABLE_FOR_MS;

/** When Slack accepts what the job draws, even if the card was drawn in the second of the change. */
export const inALaterSecond = <Job extends object>(job: Job, changedAt: Date) => ({
  ...job,
  runAt: new Date(changedAt.getTime() + DRAWN_EVERY_MS),
});
