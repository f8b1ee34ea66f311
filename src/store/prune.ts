import type { Log } from '../ops/logging.ts';
import type { Eraser } from './sqlite/erase.ts';
import type { Stores } from './stores.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Slack may deliver an event again for 24 hours ("delayed events"); one hour is to spare. */
export const KEEP_FINISHED_JOBS_MS = 25 * HOUR_MS;
/** Long enough to find a request in one's list; what it said is not kept longer. */
export const KEEP_SETTLED_REQUESTS_MS = 30 * DAY_MS;

/** People who come back after that long have a new last channel with their first command. */
export const KEEP_LAST_CHANNELS_MS = 30 * DAY_MS;

/** Longer than any call counts and any 429 says to wait: a key that is not used has its full budget. */
const KEEP_BUDGETS_MS = DAY_MS;

/** Shared cards are shown as they were for an hour where the service can't be asked. */
const KEEP_SHARED_CARDS_MS = HOUR_MS;

/**
 * A signature from five minutes ahead holds for ten, so the same bytes may be sent again that long
 * (https://docs.slack.dev/authentication/verifying-requests-from-slack).
 */
export const KEEP_INTERACTIONS_MS = 11 * MINUTE_MS;

const PRUNE_EVERY_MS = KEEP_INTERACTIONS_MS;
/** Writes wait while the file is rewritten, and an app in use has something to prune every time. */
const ERASE_EVERY_MS = DAY_MS;

type Prunable = Pick<
  Stores,
  | 'jobTable'
  | 'requests'
  | 'budgets'
  | 'cardCache'
  | 'interactions'
  | 'installStates'
  | 'lastChannels'
>;

/** How many of each were deleted. */
export type Pruned = Record<
  'jobs' | 'requests' | 'budgets' | 'cards' | 'interactions' | 'states' | 'channels',
  number
>;

/**
 * Deletes what is no longer needed: finished jobs with their events, settled requests, old budgets and
 * cards, and what could not be sent again by now.
 */
export async function prune(
  { jobTable, requests, budgets, cardCache, interactions, installStates, lastChannels }: Prunable,
  now: Date,
): Promise<Pruned> {
  const before = (keptMs: number) => new Date(now.getTime() - keptMs);
  return {
    jobs: await jobTable.prune(before(KEEP_FINISHED_JOBS_MS), now),
    requests: await requests.pruneSettled(before(KEEP_SETTLED_REQUESTS_MS), now),
    budgets: await budgets.prune(before(KEEP_BUDGETS_MS)),
    cards: await cardCache.prune(before(KEEP_SHARED_CARDS_MS)),
    interactions: await interactions.prune(before(KEEP_INTERACTIONS_MS), now),
    states: await installStates.prune(now),
    channels: await lastChannels.prune(before(KEEP_LAST_CHANNELS_MS)),
  };
}

/** Prunes now and every few minutes. @returns ends it */
export function keepPruned(deps: {
  stores: Prunable;
  eraser: Pick<Eraser, 'start'>;
  now: () => Date;
  log: Log;
}): () => void {
  const { stores, eraser, now, log } = deps;
  let hasDeleted = false;
  let erasedAt = 0;
  const eraseDaily = () => {
    const at = now().getTime();
    if (!hasDeleted || Math.abs(at - erasedAt) < ERASE_EVERY_MS) return;
    hasDeleted = false;
    erasedAt = at;
    eraser.start();
  };
  const run = () =>
    prune(stores, now()).then(
      (pruned) => {
        log.debug(pruned, 'pruned');
        hasDeleted ||= Object.values(pruned).some((rows) => rows > 0);
        eraseDaily();
      },
      (error) => log.warn({ err: error }, 'what is no longer needed could not be deleted'),
    );
  void run();
  const timer = setInterval(run, PRUNE_EVERY_MS);
  return () => clearInterval(timer);
}
