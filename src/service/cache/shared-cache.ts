import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../ops/logging.ts';
import type { AnswerCacheStore } from '../../store/answer-cache.ts';
import { DesignApiError } from '../errors.ts';
import type { AnswerText, CachedValue, CacheKey, SharedCache, Source } from './cached-value.ts';

/** Longer than a read takes. A replica that dies while reading delays the others by this much. */
const LEASE_MS = 15_000;
/** There is nobody to keep from reading. */
const NO_LEASE = new Date(0);
/** How often to check for the answer while another replica reads it. */
const POLL_MS = 50;

/**
 * A cache in the database, so that only one replica reads each answer. If the database can't be used, each replica
 * reads for itself.
 *
 * @param deps.isShared whether there may be other replicas, whose reads to wait for
 */
export function createSharedCache(deps: {
  store: AnswerCacheStore;
  isShared: boolean;
  now: () => Date;
  log: Log;
}): SharedCache {
  const { store, isShared, now, log } = deps;
  const warn = (error: unknown) => log.warn({ err: error }, 'could not share what was read');
  /** Until workspaces that were forgotten are deleted. */
  let forgetting: Promise<unknown> = Promise.resolve();

  /** @returns the cached answer, or a lease to read it; waits while another replica has the lease */
  async function take(key: CacheKey, since: Date) {
    await forgetting;
    for (;;) {
      const at = now();
      const leaseUntil = isShared ? new Date(at.getTime() + LEASE_MS) : NO_LEASE;
      const taken = await store.take(key, { since, now: at, leaseUntil });
      if (taken !== 'being_read') return taken;
      await sleep(POLL_MS);
    }
  }

  async function readForAll<Value>(
    { text, service }: { text: AnswerText<Value>; service: Source<Value> },
    asked: Parameters<Source<Value>>[0],
    lease: string,
  ): Promise<CachedValue<Value>> {
    const { key } = asked;
    try {
      const reading = await service(asked);
      const kept = { answer: text.write(reading), readAt: reading.readAt };
      await store.put(key, lease, kept).catch(warn);
      return reading;
    } catch (error) {
      await store.release(key, lease).catch(warn);
      const isRejected = error instanceof DesignApiError && error.code === 'unauthorized';
      if (isRejected) await store.dropAll(key.workspaceId).catch(warn);
      throw error;
    }
  }

  return {
    through: (text, service) => async (asked) => {
      const taken = await take(asked.key, asked.since).catch(warn);
      if (!taken) return service(asked);
      if ('lease' in taken) return readForAll({ text, service }, asked, taken.lease);
      // Another version of the app may have written it in another way.
      return text.read(taken.answer, taken.readAt) ?? service(asked);
    },
    async peek(text, key) {
      await forgetting;
      const kept = await store.peek(key, now()).catch(warn);
      return kept ? text.read(kept.answer, kept.readAt) : undefined;
    },
    drop: (key) => store.drop(key).catch(warn),
    forget(workspaceId) {
      const dropped = store.dropAll(workspaceId).catch(warn);
      forgetting = Promise.all([forgetting, dropped]);
      return dropped;
    },
  };
}
