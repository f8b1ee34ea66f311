import { expect, it } from 'vitest';
import { createJobAttempts } from '../../src/jobs/runner.ts';
import { createLog } from '../../src/ops/logging.ts';
import { readJob, WATCH_JOBS } from '../../src/watching/begin-watching.ts';
import { watchJobHandlers } from '../../src/watching/read-watched-card.ts';
import { snapshotOf } from '../../src/watching/snapshot.ts';
import { T1 } from '../installations/ids.ts';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import { watchedUnderTest } from './watched-under-test.ts';

const STEP_MS = 5_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** All would need 8 calls a minute, and watching may use 5 of 12. */
const WATCHED = 1_000;
/** Of those, changed recently. */
const RECENT = 10;

/** Many watched cards of one key, all due as after an outage, and the app's jobs. */
async function thousandsOfCards() {
  const under = await watchedUnderTest({ requestsPerMinute: 12 });
  const { design, stores, clock, cards, card, now, ctx } = under;
  const { transact, jobTable } = stores;
  const reading = await cards.read(T1, card.id, { class: 'person' });
  if (!('card' in reading)) throw new Error('it can’t be read');
  const told = snapshotOf(reading.card);
  const ids = Array.from({ length: WATCHED }, () => design.cards.add({ title: card.title }).id);
  const changedAgo = (index: number) =>
    index < RECENT ? 10 * MINUTE_MS : (2 + (26 * index) / WATCHED) * DAY_MS;
  await transact(async ({ watches, jobs }) => {
    for (const [index, cardId] of ids.entries()) {
      const key = { workspaceId: T1, cardId };
      const changedAt = new Date(now().getTime() - changedAgo(index));
      const { watchId } = await watches.begin(key, { watchId: `w-${index}`, told }, changedAt);
      await watches.addWatcher(key, { userId: 'U1' }, now());
      await jobs.add(readJob({ ...key, watchId }, now()), now());
    }
  });
  const log = createLog({ level: 'silent' });
  const silent = { show: async () => undefined, tell: async () => undefined };
  let attempts = 0;
  const { run } = createJobAttempts({
    jobs: jobTable,
    now,
    log,
    signal: new AbortController().signal,
    handlers: watchJobHandlers({ ...ctx, notifier: silent, log }),
    observer: {
      kinds: () => undefined,
      attempted(kind) {
        if (kind === WATCH_JOBS.read) attempts += 1;
      },
    },
    onPostponed: () => undefined,
  });
  return {
    ...under,
    recent: ids.slice(0, RECENT),
    attempts: () => attempts,
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += STEP_MS) {
        clock.now = new Date(clock.now.getTime() + STEP_MS);
        for (;;) {
          const claimed = await jobTable.claim(now(), 8);
          if (claimed.length === 0) break;
          await Promise.all(claimed.map(run));
        }
      }
    },
  };
}

it('of thousands of watched cards, those that changed recently are read first, and few reads are tried in vain', async () => {
  const { attempts, design, pass, recent, storedJobs } = await thousandsOfCards();
  // Each is tried once.
  await pass(MINUTE_MS);
  for (const id of recent) design.cards.update(id, { status: STATUSES.inReview });
  const before = attempts();
  let minutes = 0;
  for (; (await storedJobs(WATCH_JOBS.tell)).length < RECENT && minutes < 30; minutes += 1) {
    await pass(MINUTE_MS);
  }
  expect(await storedJobs(WATCH_JOBS.tell)).toHaveLength(RECENT);
  expect((attempts() - before) / minutes).toBeLessThan(40);
});
