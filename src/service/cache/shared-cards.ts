import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../ops/logging.ts';
import type { CachedCardKey, CardCacheStore } from '../../store/card-cache.ts';
import { DesignApiError } from '../errors.ts';
import type { Card } from '../operations/schemas.ts';
import type { CachedValue, CacheKey, SharedCache, Source } from './cached-value.ts';
import { readAnswer, writeAnswer } from './card-text.ts';

/** Longer than reading a card takes. A replica that dies while reading delays the others by this much. */
const LEASE_MS = 15_000;
/** How often to check for the answer while another replica reads a card. */
const POLL_MS = 50;

/**
 * A cache of cards in the database, so that only one replica reads each card. If the database can't be used,
 * each replica reads for itself.
 */
export function createSharedCards(deps: {
  store: CardCacheStore;
  now: () => Date;
  log: Log;
}): SharedCache<Card> {
  const { store, now, log } = deps;
  const warn = (error: unknown) =>
    log.warn({ err: error }, 'could not share cards with other replicas');

  /** @returns the cached answer, or a lease to read the card; waits while another replica has the lease */
  async function take(key: CachedCardKey, since: Date) {
    for (;;) {
      const at = now();
      const leaseUntil = new Date(at.getTime() + LEASE_MS);
      const taken = await store.take(key, { since, now: at, leaseUntil });
      if (taken !== 'being_read') return taken;
      await sleep(POLL_MS);
    }
  }

  async function readForAll(
    service: Source<Card>,
    asked: Parameters<Source<Card>>[0],
    lease: string,
  ): Promise<CachedValue<Card>> {
    const key = cachedKey(asked.key);
    try {
      const reading = await service(asked);
      const kept = { answer: writeAnswer(reading), readAt: reading.readAt };
      await store.put(key, lease, kept).catch(warn);
      return reading;
    } catch (error) {
      await store.release(key, lease).catch(warn);
      const isRejected = error instanceof DesignApiError && error.code === 'unauthorized';
      if (isRejected) await store.dropAll(asked.key.workspaceId).catch(warn);
      throw error;
    }
  }

  return {
    through: (service) => async (asked) => {
      const taken = await take(cachedKey(asked.key), asked.since).catch(warn);
      if (!taken) return service(asked);
      if ('lease' in taken) return readForAll(service, asked, taken.lease);
      // Another version of the app may have written it in another way.
      return readAnswer(taken.answer, taken.readAt) ?? service(asked);
    },
    drop: (key) => store.drop(cachedKey(key)).catch(warn),
    forget: (workspaceId) => store.dropAll(workspaceId).catch(warn),
  };
}

const cachedKey = ({ workspaceId, fingerprint, id }: CacheKey): CachedCardKey => ({
  workspaceId,
  fingerprint,
  cardId: id,
});
