import { LRUCache } from 'lru-cache';
import { atMost } from '../../bounds.ts';
import { forwardOnly } from '../../clock.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { CallClass } from '../budget/call-class.ts';
import { DesignApiError, type DesignApiErrorCode, isPassing } from '../errors.ts';
import type { CachedValue, CacheKey, ReadableCacheKey, Source } from './cached-value.ts';

export type Demand = {
  /** Who waits for it if it has to be read. */
  class: CallClass;
  /** A value that was read earlier is too old. */
  since: Date;
  /** Reads again even if the last read has just failed; by default, only people's calls do. */
  isRetry?: boolean;
  /** How the last read failed, to fail in the same way instead of reading again. */
  failure?: unknown;
  /** Returns a value that is too old immediately, and revalidates it in the background. */
  allowStale?: boolean;
};

/** `trouble` is the error because of which the value is older than requested. */
export type ReadResult<Value> = CachedValue<Value> & { trouble?: DesignApiError };

/** How the cache answered: with a fresh value, a stale value, a cached refusal, or from the source. */
export type ReadKind = 'hit' | 'stale' | 'negative' | 'miss';

/** An in-memory cache with single flight. */
export type ReadCache<Value, Key extends CacheKey = ReadableCacheKey> = {
  /**
   * Returns the cached value if it is new enough, otherwise reads it, once for all simultaneous callers. If the
   * service can't answer now, returns the older value with the error.
   *
   * @throws what the source throws, if there is no older value
   */
  read(key: Key, demand: Demand): Promise<ReadResult<Value>>;
  /** Returns the value in memory, however old. */
  peek(key: CacheKey): CachedValue<Value> | undefined;
  /** Returns the value in memory or in the shared cache, however old, without a call. */
  load(key: CacheKey): Promise<CachedValue<Value> | undefined>;
  /** Invalidates one key, including a read in progress. */
  drop(key: CacheKey): void;
  /** Invalidates everything of a workspace, including reads in progress. */
  forget(workspaceId: WorkspaceId): void;
};

/** Overhead of an entry, in characters. */
const ENTRY_OVERHEAD = 500;
/** Refusals are cached for less time than values. */
const REFUSAL_FRESH_MS = 60_000;
/** The clocks of replicas differ by less than this. */
const CLOCK_SKEW_MS = 5_000;

/**
 * @param options.source the service, or a shared cache in front of it
 * @param options.stored looks up a value that isn't in memory, however old
 * @param options.maxCharacters the size of the cache, as JSON; the least recently used values are evicted
 * @param options.keptForMs how long a value is kept at all; by default forever
 * @param options.pauseAfterFailureMs how long after a failed read only people's calls read again
 */
export function createReadCache<Value, Key extends CacheKey = ReadableCacheKey>(options: {
  source: Source<Value, Key>;
  stored?: (key: CacheKey) => Promise<CachedValue<Value> | undefined>;
  maxCharacters: number;
  keptForMs?: number;
  pauseAfterFailureMs?: number;
  now: () => Date;
  count: (kind: ReadKind) => void;
}): ReadCache<Value, Key> {
  type Asking = Parameters<Source<Value, Key>>[0];
  const { source, count, now, pauseAfterFailureMs = 0 } = options;
  const nowMs = () => now().getTime();
  const before = (ms: number) => new Date(nowMs() - ms);
  const clock = { perf: { now: forwardOnly(now) }, ttlResolution: 0 };
  const kept = new LRUCache<string, CachedValue<Value>, Asking>({
    ...clock,
    maxSize: options.maxCharacters,
    sizeCalculation: (cached) => JSON.stringify(cached).length + ENTRY_OVERHEAD,
    ttl: options.keptForMs ?? 0,
    fetchMethod: async (entry, _old, { context }) => {
      const flight = { entry };
      inFlight.add(flight);
      return source(context).finally(() => inFlight.delete(flight));
    },
    noDeleteOnFetchRejection: true,
    // A read that was invalidated still answers those who wait for it, but isn't cached.
    ignoreFetchAbort: true,
  });
  /** Reads in progress, which LRUCache doesn't list. */
  const inFlight = new Set<{ entry: string }>();
  const failures = new LRUCache<string, DesignApiError>({
    ...clock,
    ...atMost(REMEMBERED_FAILURES),
    ttl: pauseAfterFailureMs,
  });

  function isNewEnough(cached: CachedValue<Value>, since: Date): boolean {
    const age = nowMs() - cached.readAt.getTime();
    if ('refused' in cached && age > REFUSAL_FRESH_MS) return false;
    return cached.readAt >= since && age >= -CLOCK_SKEW_MS;
  }

  async function ask(entry: string, asking: Asking): Promise<CachedValue<Value>> {
    const status: LRUCache.Status<string, CachedValue<Value>, Asking> = {};
    const fetching = () => kept.forceFetch(entry, { forceRefresh: true, context: asking, status });
    try {
      return await fetching();
    } catch (error) {
      // A shared call may have been refused only because it was made for a less urgent class.
      if (status.fetch === 'inflight' && isLimited(error)) return await fetching();
      if (pauseAfterFailureMs > 0 && error instanceof DesignApiError) failures.set(entry, error);
      // Values that were read with a rejected key must not be returned to anyone.
      if (isRejected(error)) forget(asking.key.workspaceId);
      throw error;
    }
  }

  function revalidate(entry: string, key: Key, since: Date): void {
    if (failures.has(entry)) return;
    // If it fails, the cached value stays, and the next read tries again.
    ask(entry, { key, since, class: 'background' }).catch(() => undefined);
  }

  /** Counts invalidations, so that what was looked up before one isn't kept after it. */
  let invalidations = 0;

  async function load(key: CacheKey): Promise<CachedValue<Value> | undefined> {
    const entry = entryOf(key);
    const invalidated = invalidations;
    const found = kept.get(entry) ?? (await options.stored?.(key));
    const isBeingRead = [...inFlight].some((flight) => flight.entry === entry);
    const isOutdated = invalidations !== invalidated || isBeingRead || kept.has(entry);
    if (found && !isOutdated) kept.set(entry, found);
    return kept.get(entry) ?? found;
  }

  function drop(key: CacheKey): void {
    invalidations += 1;
    kept.delete(entryOf(key));
  }

  function forget(workspaceId: WorkspaceId): void {
    invalidations += 1;
    const prefix = prefixOf(workspaceId);
    const reading = [...inFlight].map(({ entry }) => entry);
    for (const entry of [...kept.keys(), ...reading]) {
      if (entry.startsWith(prefix)) kept.delete(entry);
    }
  }

  /** What can be returned without waiting for a call. */
  function fromCache(entry: string, key: Key, { since, allowStale }: Demand) {
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
    const { class: callClass, isRetry = callClass === 'person' } = demand;
    const failure = demand.failure ?? (isRetry ? undefined : failures.get(entry));
    if (failure) throw failure;
    const known = kept.get(entry);
    // Replicas may share a refusal for as long as a value.
    const isRefused = known !== undefined && 'refused' in known;
    const since = isRefused ? latest(demand.since, before(REFUSAL_FRESH_MS)) : demand.since;
    return ask(entry, { key, since, class: callClass });
  }

  return {
    async read(key, demand) {
      const entry = entryOf(key);
      if (!kept.has(entry)) await load(key);
      const cached = fromCache(entry, key, demand);
      if (cached) return cached;
      try {
        const value = await askFor(entry, key, demand);
        count('miss');
        return value;
      } catch (error) {
        // Looked up only now, because it may have been invalidated meanwhile.
        const older = kept.get(entry);
        const canStandIn = older && 'value' in older && isPassing(error);
        count(canStandIn ? 'stale' : 'miss');
        if (!canStandIn) throw error;
        return { ...older, trouble: error };
      }
    },

    peek: (key) => kept.peek(entryOf(key)),
    load,
    drop,
    forget,
  };
}

const REMEMBERED_FAILURES = 1_000;

// As JSON, so that no ID can collide with an entry of another workspace or key.
const entryOf = ({ workspaceId, fingerprint, id }: CacheKey) =>
  JSON.stringify([workspaceId, fingerprint, id]);
const prefixOf = (workspaceId: WorkspaceId) => `${JSON.stringify([workspaceId]).slice(0, -1)},`;

const latest = (one: Date, other: Date) => (one > other ? one : other);

const hasCode = (error: unknown, code: DesignApiErrorCode) =>
  error instanceof DesignApiError && error.code === code;
const isLimited = (error: unknown) => hasCode(error, 'rate_limited');
const isRejected = (error: unknown) => hasCode(error, 'unauthorized');
