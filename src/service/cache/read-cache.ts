import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { atMost, forAtMost } from '../../bounds.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { Entries } from '../../store/entries.ts';
import type { CallClass } from '../budget/call-class.ts';
import { DesignApiError, type DesignApiErrorCode, isPassing } from '../errors.ts';
import type { ServiceSession } from '../service-access.ts';

/** Errors that are cached like a value (API reference, section 7). */
type Refusal = 'not_found' | 'forbidden';

type Answer<Value> = { value: Value } | { refused: Refusal };

/** An answer of the service, and when it was asked for. */
export type CachedAnswer<Value> = { readAt: Date } & Answer<Value>;

/** Includes the API key, because another key of the same workspace may see other things. */
export type CacheKey = { workspaceId: WorkspaceId; fingerprint: string; id: string };

/** A cache key, with a session for reading its value from the service. */
export type ReadableCacheKey = CacheKey & { session: ServiceSession };

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
export type ReadResult<Value> = CachedAnswer<Value> & { trouble?: DesignApiError };

/** How the cache answered: with a fresh value, a stale value, a cached refusal, or from the service. */
type ReadKind = 'hit' | 'stale' | 'negative' | 'miss';

export type ReadCache<Value> = ReturnType<typeof createReadCache<Value>>;

/** One workspace holds at most one of these of the memory, so that it evicts its own values before those of others. */
const SHARES = 4;
/** Overhead of an entry, in characters. */
const ENTRY_OVERHEAD = 500;
/** Refusals are cached for less time than values. */
const REFUSAL_FRESH_MS = 60_000;
/** The clocks of replicas differ by less than this. */
const CLOCK_SKEW_MS = 5_000;
const REMEMBERED_FAILURES = 1_000;

/** How such answers are stored, and for how long they are kept at all. */
export const answerKind = <Value>(kind: string, value: z.ZodType<Value>, keepMs: number) => {
  const answer = z.union([
    z.object({ value }),
    z.object({ refused: z.enum(['not_found', 'forbidden']) }),
  ]);
  return { kind, value: answer as z.ZodType<Answer<Value>>, keepMs };
};

/**
 * A cache of what the service answers: in memory, with single flight, and in the database, for other replicas and for
 * the next start. If the database can't be used, each process reads for itself.
 *
 * @param options.entries undefined if they are only in memory
 * @param options.call reads a value from the service, and calls `begun` when the call is made
 * @param options.refusals the errors to cache like a value
 * @param options.maxCharacters the size of the memory, as JSON; the least recently used values are evicted
 * @param options.pauseAfterFailureMs how long after a failed read only people's calls read again
 */
export function createReadCache<Value, Key extends CacheKey = ReadableCacheKey>(options: {
  kind: ReturnType<typeof answerKind<Value>>;
  entries: Pick<Entries, 'get' | 'put' | 'remove'> | undefined;
  call: (key: Key, callClass: CallClass, begun: () => void) => Promise<Value>;
  refusals: readonly Refusal[];
  maxCharacters: number;
  pauseAfterFailureMs?: number;
  now: () => Date;
  count: (kind: ReadKind) => void;
  log: Pick<Log, 'warn'>;
}) {
  const { kind, entries, refusals, maxCharacters, count, now, log } = options;
  const { pauseAfterFailureMs = 0 } = options;
  const share = maxCharacters / SHARES;
  const ageOf = ({ readAt }: CachedAnswer<Value>) => now().getTime() - readAt.getTime();
  const kept = new LRUCache<string, CachedAnswer<Value>>({
    ...forAtMost(kind.keepMs, now),
    maxSize: maxCharacters,
    maxEntrySize: share,
    sizeCalculation: (cached) => JSON.stringify(cached).length + ENTRY_OVERHEAD,
  });
  /** What is being read. One that is invalidated still answers those who wait for it, but isn't kept. */
  const reads = new Map<string, Promise<CachedAnswer<Value>>>();
  const failures = new LRUCache<string, DesignApiError>({
    ...forAtMost(pauseAfterFailureMs, now),
    ...atMost(REMEMBERED_FAILURES),
  });
  /** Counts invalidations, so that what was looked up before one isn't kept after it. */
  let invalidations = 0;
  /** Until what was invalidated is deleted. */
  let deletions: Promise<unknown> = Promise.resolve();

  const entriesOf = (workspaceId: WorkspaceId) => {
    const prefix = prefixOf(workspaceId);
    const all = new Set([...kept.keys(), ...reads.keys()]);
    return [...all].filter((entry) => entry.startsWith(prefix));
  };

  const warn = (error: unknown) => log.warn({ err: error }, 'could not share what was read');

  function isNewEnough(cached: CachedAnswer<Value>, since: Date): boolean {
    const age = ageOf(cached);
    if ('refused' in cached && age > REFUSAL_FRESH_MS) return false;
    return cached.readAt >= since && age >= -CLOCK_SKEW_MS;
  }

  function keep(key: CacheKey, answer: CachedAnswer<Value>): void {
    kept.set(entryOf(key), answer, { ttl: Math.max(1, kind.keepMs - ageOf(answer)) });
    if (kept.calculatedSize <= share) return;
    let size = 0;
    // The most recently used first.
    for (const entry of entriesOf(key.workspaceId)) {
      size += kept.info(entry)?.size ?? 0;
      if (size > share) kept.delete(entry);
    }
  }

  const rowOf = ({ workspaceId, fingerprint, id }: CacheKey) => ({
    kind,
    owner: workspaceId,
    name: `${fingerprint}/${id}`,
  });

  /** Returns the newest that is known, also by other replicas. */
  async function lookUp(key: CacheKey): Promise<CachedAnswer<Value> | undefined> {
    const before = invalidations;
    await deletions;
    const row = await entries?.get(rowOf(key)).catch(warn);
    const stored = row && { ...row.value, readAt: row.changedAt };
    const own = kept.get(entryOf(key));
    if (!stored || (own && own.readAt >= stored.readAt)) return own;
    if (!isNewEnough(stored, new Date(now().getTime() - kind.keepMs))) return own;
    if (invalidations === before) keep(key, stored);
    return stored;
  }

  const load = async (key: CacheKey) => kept.get(entryOf(key)) ?? (await lookUp(key));

  async function remove(of: { kind: typeof kind; owner: WorkspaceId; name?: string }) {
    const removed = entries?.remove(of).catch(warn);
    deletions = Promise.all([deletions, removed]).then(() => undefined);
    await removed;
  }

  /**
   * Notes when the call began: the value may change before the answer arrives, and the call may have waited before it
   * was made.
   */
  async function callService(key: Key, callClass: CallClass): Promise<CachedAnswer<Value>> {
    let readAt = now();
    const begun = () => {
      readAt = now();
    };
    try {
      const value = await options.call(key, callClass, begun);
      return { value, readAt };
    } catch (error) {
      const refused = refusals.find((refusal) => hasCode(error, refusal));
      if (refused) return { refused, readAt };
      if (pauseAfterFailureMs > 0 && error instanceof DesignApiError) {
        failures.set(entryOf(key), error);
      }
      // Values that were read with a rejected key must not be returned to anyone.
      if (hasCode(error, 'unauthorized')) await forget(key.workspaceId);
      throw error;
    }
  }

  function begin(key: Key, { since, class: callClass }: Demand): Promise<CachedAnswer<Value>> {
    const entry = entryOf(key);
    const isCurrent = () => reads.get(entry) === reading;
    async function read() {
      const known = await lookUp(key);
      if (known && isNewEnough(known, since)) return known;
      const cached = await callService(key, callClass);
      if (!isCurrent()) return cached;
      keep(key, cached);
      const { readAt, ...answer } = cached;
      await entries?.put(rowOf(key), answer, readAt).catch(warn);
      if (!isCurrent()) await remove(rowOf(key));
      return cached;
    }
    const reading = read().finally(() => {
      if (isCurrent()) reads.delete(entry);
    });
    reads.set(entry, reading);
    return reading;
  }

  /** Reads it once for all simultaneous callers. */
  async function ask(key: Key, demand: Demand): Promise<CachedAnswer<Value>> {
    const { isRetry = demand.class === 'person' } = demand;
    const entry = entryOf(key);
    const failure = demand.failure ?? (isRetry ? undefined : failures.get(entry));
    if (failure) throw failure;
    const reading = reads.get(entry);
    try {
      return await (reading ?? begin(key, demand));
    } catch (error) {
      // A shared call may have been refused only because it was made for a less urgent class.
      if (!reading || !hasCode(error, 'rate_limited')) throw error;
      return await (reads.get(entry) ?? begin(key, demand));
    }
  }

  async function readNow(key: Key, demand: Demand): Promise<ReadResult<Value>> {
    try {
      const answer = await ask(key, demand);
      count('miss');
      return answer;
    } catch (error) {
      // Looked up only now, because it may have been invalidated meanwhile.
      const older = kept.get(entryOf(key));
      const canStandIn = older && 'value' in older && isPassing(error);
      count(canStandIn ? 'stale' : 'miss');
      if (!canStandIn) throw error;
      return { ...older, trouble: error };
    }
  }

  /** Invalidates everything of a workspace, including reads in progress. */
  function forget(workspaceId: WorkspaceId): Promise<void> {
    invalidations += 1;
    // Its keys don't include what has expired.
    kept.purgeStale();
    for (const entry of entriesOf(workspaceId)) {
      kept.delete(entry);
      reads.delete(entry);
    }
    return remove({ kind, owner: workspaceId });
  }

  return {
    /**
     * Returns the cached answer if it is new enough, otherwise reads it. If the service can't answer now, returns the
     * older value with the error.
     *
     * @throws what the call throws, if there is no older value
     */
    async read(key: Key, demand: Demand): Promise<ReadResult<Value>> {
      const { since, allowStale } = demand;
      const known = allowStale ? await load(key) : kept.get(entryOf(key));
      if (known && isNewEnough(known, since)) {
        count('value' in known ? 'hit' : 'negative');
        return known;
      }
      if (allowStale && known && 'value' in known) {
        count('stale');
        // If it fails, the cached value stays, and the next read tries again.
        ask(key, { since, class: 'background' }).catch(() => undefined);
        return known;
      }
      return readNow(key, demand);
    },

    /** Returns what is in memory, however old. */
    peek: (key: CacheKey): CachedAnswer<Value> | undefined => kept.peek(entryOf(key)),

    /** Returns what is in memory or else in the database, however old, without a call. */
    load,

    /** The same, but the newest of both. */
    lookUp,

    /** Invalidates one key, including a read in progress. */
    async drop(key: CacheKey): Promise<void> {
      invalidations += 1;
      kept.delete(entryOf(key));
      reads.delete(entryOf(key));
      await remove(rowOf(key));
    },

    forget,
  };
}

// As JSON, so that no ID can collide with an entry of another workspace or key.
const entryOf = ({ workspaceId, fingerprint, id }: CacheKey) =>
  JSON.stringify([workspaceId, fingerprint, id]);
const prefixOf = (workspaceId: WorkspaceId) => `${JSON.stringify([workspaceId]).slice(0, -1)},`;

const hasCode = (error: unknown, code: DesignApiErrorCode) =>
  error instanceof DesignApiError && error.code === code;
