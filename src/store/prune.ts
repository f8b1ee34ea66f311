import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Log } from '../ops/logging.ts';
import { deleteInBatches } from './batches.ts';
import type { Database } from './database.ts';
import { APP, type Entries, entryKind } from './entries.ts';
import { databaseTime } from './replicas.ts';
import { HAS_ENDED } from './requests.ts';
import { engineOf } from './rows.ts';
import type { Eraser } from './sqlite/erase.ts';
import type { Schema } from './tables.ts';
import { createWatchStore, type WatchStore } from './watches.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** Slack may repeat an event for 24 hours ("delayed events"); one more hour to be safe. */
export const KEEP_FINISHED_JOBS_MS = 25 * HOUR_MS;
/** Long enough for authors to find a request in their list. */
export const KEEP_ENDED_REQUESTS_MS = 30 * DAY_MS;

/** Unless its job has failed, a watch has ended by then (src/watching/schedule.ts). */
export const KEEP_WATCHES_MS = 45 * DAY_MS;
/** Long enough to find out who changed something, even what is looked at once a year. */
export const KEEP_AUDIT_ENTRIES_MS = 365 * DAY_MS;
/** Longer than a call counts, or a 429 can ask to wait: an unused key has its full budget by then. */
const KEEP_BUDGETS_MS = DAY_MS;

const PRUNE_EVERY_MS = 11 * 60_000;

/** What has expired, as docs/privacy.md lists it; read from an index, the oldest first. */
function expired(now: Date): [table: keyof Schema, condition: RawBuilder<unknown>][] {
  const before = (keptMs: number) => new Date(now.getTime() - keptMs);
  return [
    // The identities of their events go with them.
    ['jobs', sql`finished_at < ${before(KEEP_FINISHED_JOBS_MS)} order by finished_at`],
    // The confirmation of a watched card is kept current, and is built from its request.
    // With `not exists`, Postgres reads all watched cards for a few requests.
    [
      'requests',
      sql`${HAS_ENDED} and updated_at < ${before(KEEP_ENDED_REQUESTS_MS)}
        and (select request_id from watched_cards where request_id = requests.id limit 1) is null
        order by updated_at`,
    ],
    ['budgets', sql`changed_at < ${before(KEEP_BUDGETS_MS)}`],
    ['entries', sql`expires_at <= ${now} order by expires_at`],
    ['audit_entries', sql`done_at < ${before(KEEP_AUDIT_ENTRIES_MS)} order by done_at`],
  ];
}

/** @returns how many rows of each table were deleted */
export async function prune(
  db: Database,
  now: Date,
  watches = createWatchStore(db),
): Promise<Record<string, number>> {
  const pruned: Record<string, number> = {};
  for (const [table, condition] of expired(now))
    pruned[table] = await deleteInBatches(db, table, condition);
  const watchedBefore = new Date(now.getTime() - KEEP_WATCHES_MS);
  return { ...pruned, watched_cards: await watches.prune(watchedBefore) };
}

/** A clock that is days ahead would delete too early: after a jump of a day, nothing is deleted for a day. */
const LEAP_MS = DAY_MS;

/** When it was last time to delete, and until when nothing is deleted; in ms since 1970. */
const LAST_PRUNED = {
  kind: entryKind('last_pruned', z.object({ at: z.number(), pausedUntil: z.number() })),
  owner: APP,
  name: '',
};

/** The time by which rows are judged to be old; undefined while nothing may be deleted. */
async function timeToPrune(db: Database, entries: Entries, now: () => Date) {
  const before = (await entries.get(LAST_PRUNED))?.value;
  const time = engineOf(db) === 'sqlite' ? now() : await databaseTime(db);
  const at = time.getTime();
  const hasLeapt = before && at - before.at > LEAP_MS;
  const until = hasLeapt ? at + LEAP_MS : (before?.pausedUntil ?? at);
  // A clock that was set right again ends the pause.
  const isPaused = at < until && until <= at + LEAP_MS;
  await entries.put(LAST_PRUNED, { at, pausedUntil: isPaused ? until : at }, time);
  return isPaused ? undefined : time;
}

/** Prunes now and every few minutes, and erases what was deleted. @returns a function that stops this */
export function keepPruned(deps: {
  db: Database;
  stores: { entries: Entries; watches: WatchStore };
  eraser: Pick<Eraser, 'erase'>;
  now: () => Date;
  log: Log;
}): () => void {
  const { db, stores, eraser, now, log } = deps;
  const pruneOnce = async () => {
    const at = await timeToPrune(db, stores.entries, now);
    if (at) log.debug(await prune(db, at, stores.watches), 'pruned');
    else
      log.warn('the clock has jumped, or the app was off for days: nothing is deleted for a day');
  };
  const run = async () => {
    await pruneOnce().catch((error) => log.warn({ err: error }, 'could not delete expired data'));
    await eraser.erase();
  };
  void run();
  const timer = setInterval(run, PRUNE_EVERY_MS);
  return () => clearInterval(timer);
}
