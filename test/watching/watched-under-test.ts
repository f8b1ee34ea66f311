import { createLog } from '../../src/ops/logging.ts';
import { createCardReader } from '../../src/service/cache/card-reader.ts';
import type { ShownMessage, Thread } from '../../src/store/watches.ts';
import { createWatching, tellPayload, WATCH_JOBS } from '../../src/watching/begin-watching.ts';
import { readWatchedCard } from '../../src/watching/read-watched-card.ts';
import { connectedWorkspaces } from '../installations/connected-workspaces.ts';
import { T1 } from '../installations/ids.ts';

const SECOND_MS = 1_000;

/** A card of the stand-in service, and what a watch of it stores. */
export async function watchedUnderTest(options: { requestsPerMinute?: number } = {}) {
  const workspaces = await connectedWorkspaces(options);
  const { stores, cards, clock, db, design, openService } = workspaces;
  const now = () => clock.now;
  const { watches, transact, entries } = stores;
  const metrics = { cache: () => undefined };
  const log = createLog({ level: 'silent' });
  const ctx = { watches, cards, transact, now };
  const card = design.cards.add({ title: 'Spring banner' });
  const key = { workspaceId: T1, cardId: card.id };
  const storedJobs = (kind: string) =>
    db.selectFrom('jobs').selectAll().where('kind', '=', kind).orderBy('id').execute();

  const watching = createWatching({ transact, now, log });

  async function read(watchId?: string) {
    const watched = await watches.get(key);
    return readWatchedCard(ctx, { ...key, watchId: watchId ?? watched?.watchId ?? '' });
  }

  return {
    ...workspaces,
    ctx,
    card,
    key,
    read,
    now,
    storedJobs,
    watch: (userId = 'U1', thread?: Thread, message?: ShownMessage) =>
      watching.watch({ ...key, userId, thread, message }),
    stop: (userId = 'U1', thread?: Thread) => watching.stop({ ...key, userId, thread }),
    /** Moves the clock, then reads the card as its job would. @returns minutes until the next read, or 'done' */
    async readAfter(seconds: number) {
      clock.now = new Date(clock.now.getTime() + seconds * SECOND_MS);
      const outcome = await read();
      if (outcome === 'done') return outcome;
      return (outcome.retryAt.getTime() - clock.now.getTime()) / SECOND_MS / 60;
    },
    /** What was announced so far, and to whom, oldest first. */
    async announced() {
      const jobs = await storedJobs(WATCH_JOBS.tell);
      return jobs.map(({ payload }) => {
        const { to, news } = tellPayload.parse(JSON.parse(payload));
        return { to, news };
      });
    },
    /** The cards as another replica reads them. */
    cardsElsewhere: () =>
      createCardReader({ service: openService(), timezone: 'UTC', now, metrics, entries, log }),
    readCalls: () => design.calls({ operation: 'getCard' }).length,
  };
}
