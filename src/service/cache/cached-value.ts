import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { CallClass } from '../budget/call-class.ts';
import { DesignApiError } from '../errors.ts';
import type { ServiceSession } from '../service-access.ts';

/** Errors that are cached like a value (API reference, section 7). */
export type Refusal = 'not_found' | 'forbidden';

/** A cached answer of the service, and when it was asked for. */
export type CachedValue<Value> = { readAt: Date } & ({ value: Value } | { refused: Refusal });

/** Includes the API key, because another key of the same workspace may see other things. */
export type CacheKey = { workspaceId: WorkspaceId; fingerprint: string; id: string };

/** A cache key, with a session for reading its value from the service. */
export type ReadableCacheKey = CacheKey & { session: ServiceSession };

/**
 * Reads a value from the service, or from a cache in front of it.
 *
 * @throws NotConnectedError; DesignApiError for everything but a refusal
 */
export type Source<Value, Key extends CacheKey = ReadableCacheKey> = (asked: {
  key: Key;
  /** Who waits for it. */
  class: CallClass;
  /** A value that was read earlier is too old. */
  since: Date;
}) => Promise<CachedValue<Value>>;

/** How cached values are written in the database, without `readAt`, which has its own column. */
export type AnswerText<Value> = {
  write(reading: CachedValue<Value>): string;
  /** @returns undefined if another version of the app has written something else */
  read(written: string, readAt: Date): CachedValue<Value> | undefined;
};

/** A cache in the database, which replicas share, between the memory of each and the service. */
export type SharedCache = {
  /** @returns a source that uses this cache in front of the service */
  through<Value>(text: AnswerText<Value>, service: Source<Value>): Source<Value>;
  /** What was read last, however old, without a call. Never rejects. */
  peek<Value>(text: AnswerText<Value>, key: CacheKey): Promise<CachedValue<Value> | undefined>;
  /** Invalidates one key. Never rejects. */
  drop(key: CacheKey): Promise<void>;
  /** Invalidates everything of a workspace. */
  forget(workspaceId: WorkspaceId): Promise<void>;
};

/**
 * Reads a value and notes when its call began: the value may change before the answer arrives, and the call may
 * have waited before it was made.
 *
 * @param refusals the errors to return as refusals
 * @param call calls `begun` when the call is made
 * @throws what `call` throws, except for refusals
 */
export async function readOnce<Value>(
  now: () => Date,
  refusals: readonly Refusal[],
  call: (begun: () => void) => Promise<Value>,
): Promise<CachedValue<Value>> {
  let readAt = now();
  const begun = () => {
    readAt = now();
  };
  try {
    const value = await call(begun);
    return { value, readAt };
  } catch (error) {
    const code = error instanceof DesignApiError ? error.code : undefined;
    const refused = refusals.find((refusal) => refusal === code);
    if (!refused) throw error;
    return { refused, readAt };
  }
}
