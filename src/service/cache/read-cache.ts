import { LRUCache } from 'lru-cache';
import { upTo } from '../bounded.ts';
import type { WorkspaceId } from '../workspaces/workspace-id.ts';
import type { CallClass } from './call-class.ts';
import { DesignApiError, type DesignApiErrorCode } from './errors.ts';
import type { Reading, ReadingKey, Source } from './reading.ts';

export type Demand = {
  /** Who waits for it, where the service has to be asked. */
  class: CallClass;
  /** A reading of an earlier moment is too old. */
  since: Date;
  /** Gives what is too old at once, and reads it again behind, for nobody in particular. */
  olderAtOnce?: boolean;
};

/** A reading, and why it is older than was demanded where the service could not be asked. */
export type Answer<Value> = Reading<Value> & { trouble?: DesignApiError };

/** How an answer came about: it was kept, kept but old, known to be refused, or not kept. */
export type AnswerKind = 'hit' | 'stale' | 'negative' | 'miss';

/** Readings of one kind in the memory of this process. */
export type ReadingCache<Value> = {
  /**
   * What is kept if that is new enough, else the service's answer, which all who ask meanwhile share.
   * Where the service can't answer for now, an older value with the trouble.
   *
   * @throws what the source throws, where nothing is kept that could be given instead
   */
  read(key: ReadingKey, demand: Demand): Promise<Answer<Value>>;
  /** What is kept, however old, at once and without any call. */
  peek(key: ReadingKey): Reading<Value> | undefined;
  /** What is kept of one key, and what is being read of it, is not used any more. */
  drop(key: ReadingKey): void;
  /** The same for everything of a workspace. */
  forget(workspaceId: WorkspaceId): void;
};

/** What an entry takes besides its text, in characters. */
const ENTRY_FRAME = 500;
/** That something does not exist, or may not be read, changes sooner than what it says. */
const REFUSAL_FRESH_MS = 60_000;
/** Replicas' clocks differ by less than this. */
const CLOCK_SKEW_MS = 5_000;

/** Trouble that passes: what was read before it may still be shown. */
const PASSING: ReadonlySet<DesignApiErrorCode> = new Set([
  'rate_limited',
  'timed_out',
  'unavailable',
  'unreadable_answer',
]);

/**
 * A cache of readings over their source: the service, or a level that several replicas share.
 *
 * @param options.mostCharacters how much is kept, as JSON; what was used least goes first
 * @param options.keptForMs how long a value is kept at all; for good unless given
 * @param options.pauseAfterFailureMs how long only people ask again for what just could not be read
 */
export function createReadingCache<Value>(options: {
  source: Source<Value>;
  mostCharacters: number;
  keptForMs?: number;
  pauseAfterFailureMs?: number;
  now: () => Date;
  count: (kind: AnswerKind) => void;
}): ReadingCache<Value> {
  const { source, count, now, pauseAfterFailureMs = 0 } = options;
  const nowMs = () => now().getTime();
  const clock = { perf: { now: nowMs }, ttlResolution: 0 };
  const kept = new LRUCache<string, Reading<Value>, Asking>({
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
    ...upTo(REMEMBERED_FAILURES),
    ttl: pauseAfterFailureMs,
  });

  function isNewEnough(reading: Reading<Value>, since: Date): boolean {
    const age = nowMs() - reading.readAt.getTime();
    if ('refused' in reading && age > REFUSAL_FRESH_MS) return false;
    return reading.readAt >= since && age >= -CLOCK_SKEW_MS;
  }

  async function ask(entry: string, asking: Asking): Promise<Reading<Value>> {
    const status: LRUCache.Status<string, Reading<Value>, Asking> = {};
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

  function readBehind(entry: string, key: ReadingKey, since: Date): void {
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
  function give(entry: string, key: ReadingKey, { since, olderAtOnce }: Demand) {
    const known = kept.get(entry);
    if (!known) return undefined;
    if (isNewEnough(known, since)) {
      count('value' in known ? 'hit' : 'negative');
      return known;
    }
    if (!olderAtOnce || 'refused' in known) return undefined;
    count('stale');
    readBehind(entry, key, since);
    return known;
  }

  async function askFor(entry: string, asking: Asking): Promise<Reading<Value>> {
    const failure = asking.class === 'person' ? undefined : failures.get(entry);
    if (failure) throw failure;
    return ask(entry, asking);
  }

  return {
    async read(key, demand) {
      const { since, class: callClass } = demand;
      const entry = entryOf(key);
      const given = give(entry, key, demand);
      if (given) return given;
      try {
        const reading = await askFor(entry, { key, since, class: callClass });
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

type Asking = Parameters<Source<unknown>>[0];

const REMEMBERED_FAILURES = 1_000;

// As JSON, so that no id, whatever it holds, reaches into another workspace's or key's entries.
const entryOf = ({ workspaceId, fingerprint, id }: ReadingKey) =>
  JSON.stringify([workspaceId, fingerprint, id]);
const prefixOf = (workspaceId: WorkspaceId) => `${JSON.stringify([workspaceId]).slice(0, -1)},`;

const hasCode = (error: unknown, code: DesignApiErrorCode) =>
  error instanceof DesignApiError && error.code === code;
const isLimited = (error: unknown) => hasCode(error, 'rate_limited');
const isRejected = (error: unknown) => hasCode(error, 'unauthorized');

const isPassing = (error: unknown): error is DesignApiError =>
  error instanceof DesignApiError && PASSING.has(error.code);
