import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { atMost, CLOCKS_DIFFER_MS, forAtMost } from '../../clock.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { Metrics } from '../../ops/metrics/metrics.ts';
import type { Entries, EntryKind } from '../../store/entries.ts';
import type { CallClass } from '../budget/call-class.ts';
import { DesignApiError, type DesignApiErrorCode, isTransient } from '../errors.ts';
import type { Resource } from '../http/call.ts';
import type { ServiceSession } from '../service-access.ts';

/** A value or a refusal (API reference, 7), and when it was asked for; `readError` is why it is older than requested. */
export type CachedAnswer<Value> = { readAt: Date; readError?: DesignApiError } & (
  | { value: Value }
  | { refused: Refusal }
);
type Refusal = (typeof REFUSALS)[number];
const REFUSALS = ['not_found', 'forbidden'] as const;

/** A call of a more urgent class might not be refused for this reason. */
const isLimited = (error: unknown) => hasCode(error, 'rate_limited');

/** Includes the API key, because another key of the same workspace may see other things. */
export type CacheKey = { workspaceId: WorkspaceId; fingerprint: string; id: string };

export type ReadableCacheKey = CacheKey & ServiceSession;

export type Demand = {
  /** Who waits for it if it has to be read. */
  class: CallClass;
  /** A value that was read earlier is too old. */
  since: Date;
  /** If the last read failed since then, it fails in the same way instead of reading again. */
  failedSince?: Date | undefined;
  /** Returns a value that is too old immediately, and revalidates it in the background. */
  allowStale?: boolean;
};

export type ReadCache<Value> = ReturnType<typeof createReadCache<Value>>;

/** A workspace gets one of this many parts of the memory, so that it evicts its own values before those of others. */
const SHARES = 4;
/** Overhead of an entry, in characters. */
const ENTRY_OVERHEAD = 500;
/** Refusals are cached for less time than values. */
const REFUSAL_FRESH_MS = 60_000;
/** How long after a failure nothing is read in the background. */
export const PAUSE_AFTER_FAILURE_MS = 60_000;
const REMEMBERED_FAILURES = 1_000;
/** For one read with its retries. */
const READ_TIMEOUT_MS = 10_000;

/** An answer in the database: its body as it came, which is parsed when it is read, or why there is none. */
export const storedAnswer = z.object({
  fingerprint: z.string(),
  body: z.unknown(),
  refused: z.enum(REFUSALS).optional(),
});

/** In memory, with single flight and, if there are `entries`, in the database for other replicas and the next start. */
export function createReadCache<Value>(options: {
  /** Without an expiry, the last answer stays in the database for when there is no usable key. */
  kind: EntryKind<z.infer<typeof storedAnswer>>;
  resource: (id: string) => Resource<Value>;
  /** What is older isn't returned at all. */
  keepMs: number;
  /** The size of the memory, as JSON; the least recently used values are evicted. */
  maxCharacters: number;
  /** Never rejects. */
  onRead?: (key: CacheKey, value: Value) => Promise<void>;
  entries: Pick<Entries, 'get' | 'put' | 'remove'> | undefined;
  metrics: Pick<Metrics, 'cache'>;
  now: () => Date;
  log: Pick<Log, 'warn'>;
}) {
  const { kind, resource, keepMs, entries, maxCharacters, metrics, now } = options;
  const outlivesKey = kind.keepMs === undefined;
  const share = maxCharacters / SHARES;
  const ageOf = ({ readAt }: CachedAnswer<Value>) => now().getTime() - readAt.getTime();
  const kept = new LRUCache<string, CachedAnswer<Value>>({
    ...forAtMost(keepMs, now),
    maxSize: maxCharacters,
    sizeCalculation: (cached) => JSON.stringify(cached).length + ENTRY_OVERHEAD,
  });
  /** What is being read. One that is invalidated still answers those who wait for it, but isn't kept. */
  const reads = new Map<string, { answer?: Promise<CachedAnswer<Value>> }>();
  /** Counts invalidations, so that what was looked up before one isn't kept after it. */
  let invalidations = 0;
  const failures = new LRUCache<string, { error: DesignApiError; at: Date; class: CallClass }>({
    ...forAtMost(PAUSE_AFTER_FAILURE_MS, now),
    ...atMost(REMEMBERED_FAILURES),
  });

  const warn = (error: unknown) =>
    options.log.warn({ err: error }, 'could not look up or store an answer of the design service');

  function isNewEnough(cached: CachedAnswer<Value>, since: Date): boolean {
    const age = ageOf(cached);
    if ('refused' in cached && age > REFUSAL_FRESH_MS) return false;
    return cached.readAt >= since && age >= -CLOCKS_DIFFER_MS;
  }

  function keep(key: CacheKey, answer: CachedAnswer<Value>): void {
    kept.set(entryOf(key), answer, { ttl: Math.max(1, keepMs - ageOf(answer)) });
    if (kept.calculatedSize <= share) return;
    let size = 0;
    // The most recently used first, which is this one: it stays, however large it is.
    for (const entry of kept.keys()) {
      if (!entry.startsWith(prefixOf(key.workspaceId))) continue;
      size += kept.info(entry)?.size ?? 0;
      if (size > share && entry !== entryOf(key)) kept.delete(entry);
    }
  }

  /** What was read last, with whichever key. */
  async function lookUp(owner: WorkspaceId, name: string) {
    const row = await entries?.get({ kind, owner, name }).catch(warn);
    if (!row) return undefined;
    const { fingerprint, body, refused } = row.value;
    const readAt = row.changedAt;
    if (refused) return { fingerprint, answer: { refused, readAt } };
    const value = structuredClone(resource(name).parse(body));
    return value === undefined ? undefined : { fingerprint, answer: { value, readAt } };
  }

  /** The newest answer that this or another replica knows, however old. */
  async function load(key: ReadableCacheKey): Promise<CachedAnswer<Value> | undefined> {
    const before = invalidations;
    const found = await lookUp(key.workspaceId, key.id);
    const own = kept.get(entryOf(key));
    if (found?.fingerprint !== key.fingerprint) return own;
    const { answer } = found;
    if (own && own.readAt >= answer.readAt) return own;
    // A key that was rejected and connected again sees nothing that it has read before.
    const isOld = answer.readAt < key.keyConnectedAt || ageOf(answer) > keepMs;
    if (isOld) return own;
    if (invalidations === before) keep(key, answer);
    return answer;
  }

  /** The value may change before the answer arrives, so the time is that of the question. */
  async function callService(key: ReadableCacheKey, callClass: CallClass) {
    const readAt = now();
    const { parse, ...asked } = resource(key.id);
    const withBody = (body: unknown) => {
      const value = parse(body);
      return value === undefined ? undefined : { value, body };
    };
    const demand = { callClass, signal: AbortSignal.timeout(READ_TIMEOUT_MS) };
    try {
      const { value, body } = await key.call((api) =>
        api.read({ ...asked, parse: withBody }, demand),
      );
      await options.onRead?.(key, value);
      return { answer: { value, readAt }, row: { body } };
    } catch (error) {
      const refused = REFUSALS.find((refusal) => hasCode(error, refusal));
      if (refused) return { answer: { refused, readAt }, row: { body: null, refused } };
      if (error instanceof DesignApiError)
        failures.set(entryOf(key), { error, at: now(), class: callClass });
      // Values that were read with a rejected key must not be returned to anyone.
      if (hasCode(error, 'unauthorized')) await forget(key.workspaceId);
      throw error;
    }
  }

  async function loadOrCall(
    key: ReadableCacheKey,
    { since, class: callClass }: Demand,
    reading: object,
  ): Promise<CachedAnswer<Value>> {
    const entry = entryOf(key);
    try {
      const known = await load(key);
      if (known && isNewEnough(known, since)) return known;
      const { answer, row } = await callService(key, callClass);
      if (reads.get(entry) !== reading) return answer;
      keep(key, answer);
      const { workspaceId: owner, fingerprint, id: name } = key;
      const stored = { fingerprint, ...row };
      await entries?.put({ kind, owner, name }, stored, answer.readAt).catch(warn);
      if (reads.get(entry) !== reading && !outlivesKey) await remove({ owner, name });
      return answer;
    } finally {
      if (reads.get(entry) === reading) reads.delete(entry);
    }
  }

  function begin(key: ReadableCacheKey, demand: Demand) {
    const reading: { answer?: Promise<CachedAnswer<Value>> } = {};
    reads.set(entryOf(key), reading);
    reading.answer = loadOrCall(key, demand, reading);
    return reading.answer;
  }

  /** Reads it once for all simultaneous callers for whom that is new enough. */
  async function ask(key: ReadableCacheKey, demand: Demand): Promise<CachedAnswer<Value>> {
    const { since, failedSince } = demand;
    const entry = entryOf(key);
    const failure = failures.get(entry);
    const isOurs = failure && (failure.class === demand.class || !isLimited(failure.error));
    if (isOurs && failedSince && failure.at >= failedSince) throw failure.error;
    const shared = reads.get(entry)?.answer;
    if (!shared) return begin(key, demand);
    try {
      const answer = await shared;
      if (isNewEnough(answer, since)) return answer;
    } catch (error) {
      if (!isLimited(error)) throw error;
    }
    return reads.get(entry)?.answer ?? begin(key, demand);
  }

  async function readNow(key: ReadableCacheKey, demand: Demand): Promise<CachedAnswer<Value>> {
    try {
      const answer = await ask(key, demand);
      metrics.cache(kind.kind, 'miss');
      return answer;
    } catch (error) {
      // Looked up only now, because it may have been invalidated meanwhile.
      const older = kept.get(entryOf(key));
      const canStandIn = older && 'value' in older && isTransient(error);
      metrics.cache(kind.kind, canStandIn ? 'stale' : 'miss');
      if (!canStandIn) throw error;
      return { ...older, readError: error };
    }
  }

  const remove = (of: { owner: WorkspaceId; name?: string }) =>
    entries?.remove({ kind, ...of }).catch(warn);

  function invalidate(beginning: string): void {
    invalidations += 1;
    for (const entry of [...kept.keys(), ...reads.keys()]) {
      if (!entry.startsWith(beginning)) continue;
      kept.delete(entry);
      reads.delete(entry);
    }
  }

  /** Invalidates everything of a workspace, including reads in progress. */
  async function forget(workspaceId: WorkspaceId): Promise<void> {
    // `keys` leaves out what has expired, but may still be in memory.
    kept.purgeStale();
    invalidate(prefixOf(workspaceId));
    if (!outlivesKey) await remove({ owner: workspaceId });
  }

  return {
    /** If the service can't answer now, returns the older value with the error, or throws it if there is none. */
    async read(key: ReadableCacheKey, demand: Demand): Promise<CachedAnswer<Value>> {
      const { since, allowStale } = demand;
      const known = kept.get(entryOf(key)) ?? (allowStale ? await load(key) : undefined);
      if (known && isNewEnough(known, since)) {
        metrics.cache(kind.kind, 'value' in known ? 'hit' : 'negative');
        return known;
      }
      if (!allowStale || !known || 'refused' in known) return readNow(key, demand);
      metrics.cache(kind.kind, 'stale');
      // If it fails, the cached value stays, and the next read tries again.
      const failedSince = new Date(now().getTime() - PAUSE_AFTER_FAILURE_MS);
      ask(key, { since, class: 'background', failedSince }).catch(() => undefined);
      return known;
    },

    /** What is in memory, however old. */
    peek: (key: CacheKey): CachedAnswer<Value> | undefined => kept.peek(entryOf(key)),

    load,

    /** With whichever key. */
    async lastRead(workspaceId: WorkspaceId, id: string): Promise<Value | undefined> {
      const answer = (await lookUp(workspaceId, id))?.answer;
      return answer && 'value' in answer ? answer.value : undefined;
    },

    /** Invalidates one key, including a read in progress. */
    async drop(key: CacheKey): Promise<void> {
      await remove({ owner: key.workspaceId, name: key.id });
      invalidate(entryOf(key));
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
