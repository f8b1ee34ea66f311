import { LRUCache } from 'lru-cache';
import { forwardOnly } from '../../clock.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { CallClass } from '../budget/call-class.ts';
import { DesignApiError, type DesignApiErrorCode, isPassing } from '../errors.ts';
import type { CachedValue, CacheKey, ReadableCacheKey, Source } from './cached-value.ts';

export type Demand = {
  /** Who waits for it, where the service has to be asked. */
  class: CallClass;
  /** A reading of an earlier moment is too old. */
  since: Date;
  /** Asks again although the last answer was a failure; without it, only people do so at once. */
  isRetry?: boolean;
  /** Gives what is too old at once, and reads it again behind, for nobody in particular. */
  allowStale?: boolean;
};

/** A reading, and why it is older than was demanded where the service could not be asked. */
export type ReadResult<Value> = CachedValue<Value> & { trouble?: DesignApiError };

/** How an answer came about: it was kept, kept but old, known to be refused, or not kept. */
export type ReadKind = 'hit' | 'stale' | 'negative' | 'miss';

/** Readings of one kind in the memory of this process. */
export type ReadCache<Value, Key extends CacheKey = ReadableCacheKey> = {
  /**
   * What is kept if that is new enough, else the service's answer, which all who ask meanwhile share.
   * Where the service can't answer for now, an older value with the trouble.
   *
   * @throws what the source throws, where nothing is kept that could be given instead
   */
  read(key: Key, demand: Demand): Promise<ReadResult<Value>>;
  /** What is kept, however old, at once and without any call. */
  peek(key: CacheKey): CachedValue<Value> | undefined;
  /** What is kept of one key, and what is being read of it, is not used any more. */
  drop(key: CacheKey): void;
  /** The same for everything of a workspace. */
  forget(workspaceId: WorkspaceId): void;
};

/** What an entry takes besides its text, in characters. */
const ENTRY_FRAME = 500;
/** That something does not exist, or may not be read, changes sooner than what it says. */
const REFUSAL_FRESH_MS = 60_000;
/** Replicas' clocks differ by less than this. */
const CLOCK_SKEW_MS = 5_000;

/**
 * A cache of readings over their source: the service, or a level that several replicas share.
 *
 * @param options.mostCharacters how much is kept, as JSON; what was used least goes first
 * @param options.keptForMs how long a value is kept at all; for good unless given
 * @param options.pauseAfterFailureMs how long only people ask again for what just could not be read
 */
export function createReadCache<Value, Key extends CacheKey = ReadableCacheKey>(options: {
  source: Source<Value, Key>;
  mostCharacters: number;
  keptForMs?: number;
  pauseAfterFailureMs?: number;
  now: () => Date;
  count: (kind: ReadKind) => void;
}): ReadCache<Value, Key> {
  type Asking = Parameters<Source<Value, Key>>[0];
  const { source, count, now, pauseAfterFailureMs = 0 } = options;
  const nowMs = () => now().getTime();
  const clock = { perf: { now: forwardOnly(now) }, ttlResolution: 0 };
  const kept = new LRUCache<string, CachedValue<Value>, Asking>({
    ...clock,
    maxSize: options.mostCharacters,
    sizeCalculation: (reading) => JSON.stringify(reading).length + ENTRY_FRAME,
    ttl: options.keptForMs ?? 0,
    fetchMethod: async (entry, _old, { context }) => {
      const flight = { entry };
      underWay.add(flight);
      return source(context).finally(() => underWay.delete(flight));
    },
    noDeleteOnFetchRejection: true,
    // What is dropped while it is being read answers whoever waits for it, and is not kept.
    ignoreFetchAbort: true,
  });
  /** What is being read, which the cache does not list. */
  const underWay = new Set<{ entry: string }>();
  const failures = new LRUCache<string, DesignApiError>({
    ...clock,
    max: REMEMBERED_FAILURES,
    ttl: pauseAfterFailureMs,
  });

  function isNewEnough(reading: CachedValue<Value>, since: Date): boolean {
    const age = nowMs() - reading.readAt.getTime();
    if ('refused' in reading && age > REFUSAL_FRESH_MS) return false;
    return reading.readAt >= since && age >= -CLOCK_SKEW_MS;
  }

  async function ask(entry: string, asking: Asking): Promise<CachedValue<Value>> {
    const status: LRUCache.Status<string, CachedValue<Value>, Asking> = {};
    const fetching = () => kept.forceFetch(entry, { forceRefresh: true, context: asking, status });
    try {
      return await fetching();
    } catch (error) {
      // A call that was made for somebody less pressing may have been refused for that alone.
      if (status.fetch === 'inflight' && isLimited(error)) return await fetching();
      if (pauseAfterFailureMs > 0 && error instanceof DesignApiError) failures.set(entry, error);
      // What was read with a key that is rejected is not for whoever comes with it later.
      if (isRejected(error)) forget(asking.key.workspaceId);
      throw error;
    }
  }

  function revalidate(entry: string, key: Key, since: Date): void {
    if (failures.has(entry)) return;
    // What was kept stays; whoever looks at it next tries again.
    ask(entry, { key, since, class: 'background' }).catch(() => undefined);
  }

  function forget(workspaceId: WorkspaceId): void {
    const prefix = prefixOf(workspaceId);
    const reading = [...underWay].map(({ entry }) => entry);
    for (const entry of [...kept.keys(), ...reading]) {
      if (entry.startsWith(prefix)) kept.delete(entry);
    }
  }

  /** What can be given without a call, and how that came about. */
  function give(entry: string, key: Key, { since, allowStale }: Demand) {
    const known = kept.get(entry);
    if (!known) return undefined;
    if (isNewEnough(known, since)) {
      count('value' in known ? 'hit' : 'negative');
      return known;
    }
    if (!allowStale || 'refused' in known) return undefined;
    count('stale');
    revalidate(entry, key, since);
    return known;
  }

  async function askFor(entry: string, key: Key, demand: Demand): Promise<CachedValue<Value>> {
    const { since, class: callClass, isRetry = callClass === 'person' } = demand;
    const failure = isRetry ? undefined : failures.get(entry);
    if (failure) throw failure;
    return ask(entry, { key, since, class: callClass });
  }

  return {
    async read(key, demand) {
      const entry = entryOf(key);
      const given = give(entry, key, demand);
      if (given) return given;
      try {
        const reading = await askFor(entry, key, demand);
        count('miss');
        return reading;
      } catch (error) {
        // Looked up only now: it may have been dropped meanwhile.
        const older = kept.get(entry);
        const canStandIn = older && 'value' in older && isPassing(error);
        count(canStandIn ? 'stale' : 'miss');
        if (!canStandIn) throw error;
        return { ...older, trouble: error };
      }
    },

    peek: (key) => kept.peek(entryOf(key)),
    drop: (key) => void kept.delete(entryOf(key)),

    forget,
  };
}

const REMEMBERED_FAILURES = 1_000;

// As JSON, so that no id, whatever it holds, reaches into another workspace's or key's entries.
const entryOf = ({ workspaceId, fingerprint, id }: CacheKey) =>
  JSON.stringify([workspaceId, fingerprint, id]);
const prefixOf = (workspaceId: WorkspaceId) => `${JSON.stringify([workspaceId]).slice(0, -1)},`;

const hasCode = (error: unknown, code: DesignApiErrorCode) =>
  error instanceof DesignApiError && error.code === code;
const isLimited = (error: unknown) => hasCode(error, 'rate_limited');
const isRejected = (error: unknown) => hasCode(error, 'unauthorized');
