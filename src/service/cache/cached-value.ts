import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { CallClass } from '../budget/call-class.ts';
import { DesignApiError } from '../errors.ts';
import type { ServiceSession } from '../service-access.ts';

/** Why there is nothing to read under an id, for good as far as one knows (api.md, section 7). */
export type Refusal = 'not_found' | 'forbidden';

/** What the service said, and when it was asked. That there is nothing to read is an answer too. */
export type CachedValue<Value> = { readAt: Date } & ({ value: Value } | { refused: Refusal });

/** Whose reading of what: a workspace's other key may see other things, so it reads for itself. */
export type CacheKey = { workspaceId: WorkspaceId; fingerprint: string; id: string };

/** The same, with what it takes to ask the service. */
export type ReadableCacheKey = CacheKey & { session: ServiceSession };

/**
 * Where readings come from: the service itself, or something in front of it.
 *
 * @throws NotConnectedError, DesignApiError for everything but a refusal
 */
export type Source<Value, Key extends CacheKey = ReadableCacheKey> = (asked: {
  key: Key;
  /** Who waits for it. */
  class: CallClass;
  /** A reading of an earlier moment is too old. */
  since: Date;
}) => Promise<CachedValue<Value>>;

/** Readings that several replicas share, between the memory of each and the service. */
export type SharedCache<Value> = {
  /** Reads through what is shared: what is new enough there makes no call. */
  through(service: Source<Value>): Source<Value>;
  /** What was read of one key is not used any more. Never rejects. */
  drop(key: CacheKey): Promise<void>;
  /** The same for everything of a workspace. */
  forget(workspaceId: WorkspaceId): Promise<void>;
};

/**
 * One reading by one call, with the moment at which the call is made: the service may change things
 * while it answers, and a call may wait for its turn.
 *
 * @param refusals the errors that are an answer too
 * @param call is given what is to be run when the call is made
 * @throws what `call` throws, but for those
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
