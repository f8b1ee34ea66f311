import { LRUCache } from 'lru-cache';
import type { CallClass } from '../design-api/call-class.ts';
import type { DesignApi } from '../design-api/client.ts';
import { DesignApiError } from '../design-api/errors.ts';
import type { Log } from '../ops/logging.ts';
import type { ApiKeyStore } from '../store/api-keys.ts';
import { SealError } from '../store/sealed-box.ts';

/** Why there is no key: none was connected, the service rejected it, or the keyring does not open it. */
export type NoKeyReason = 'no_key' | 'key_rejected' | 'key_unreadable';

const NO_KEY: Record<NoKeyReason, string> = {
  no_key: 'No API key is connected.',
  key_rejected: 'The API key was rejected.',
  key_unreadable: 'The API key can’t be read with ENCRYPTION_KEYS.',
};

/** The workspace has no API key that can be used. */
export class NotConnectedError extends Error {
  readonly reason: NoKeyReason;
  constructor(reason: NoKeyReason, cause?: Error) {
    super(NO_KEY[reason], { cause });
    this.name = 'NotConnectedError';
    this.reason = reason;
  }
}

/** The service as one workspace sees it: every call is made with that workspace's own key. */
export type ServiceAccess = {
  /**
   * @param options.class who waits for it: a person, where nothing is said
   * @throws NotConnectedError where the workspace has no usable key
   * @throws DesignApiError from the call itself; after a 401 the key is marked and used no more
   */
  call<Result>(
    workspaceId: string,
    use: (api: DesignApi) => Promise<Result>,
    options?: { class?: CallClass },
  ): Promise<Result>;
  /**
   * Makes sure that a call can be made, without making one.
   *
   * @throws NotConnectedError where the workspace has no usable key
   */
  ready(workspaceId: string): Promise<void>;
  /** A client for a key that is not kept (yet). */
  withKey(key: string): DesignApi;
  /** To be called when the workspace's key changes. */
  forget(workspaceId: string): void;
};

type Client = { api: DesignApi; fingerprint: string; rejected: boolean };

/** Clients kept open; a workspace beyond them has its key read from the store again. */
const KEPT_CLIENTS = 1_000;

export function createServiceAccess(deps: {
  keys: ApiKeyStore;
  openApi: (key: string) => DesignApi;
  now: () => Date;
  log: Log;
  /** Called once for each key that the service rejects. */
  onKeyRejected: (workspaceId: string) => Promise<void>;
}): ServiceAccess {
  const { keys, openApi, now, log, onKeyRejected } = deps;
  // Kept from when their opening begins: what is forgotten meanwhile does not come back by it.
  const clients = new LRUCache<string, Promise<Client>>({ max: KEPT_CLIENTS });
  /** Keys that the service told to wait, with what it said; asking earlier would prolong it. */
  const waiting = new LRUCache<string, DesignApiError>({ max: KEPT_CLIENTS });

  function throwIfToldToWait(fingerprint: string): void {
    const told = waiting.get(fingerprint);
    if (told?.retryAt && told.retryAt > now()) throw told;
  }

  async function openClient(workspaceId: string): Promise<Client> {
    const opened = await keys.open(workspaceId).catch((error: unknown) => {
      // The key is there all the same: with the right keyring it can be read again.
      throw error instanceof SealError ? new NotConnectedError('key_unreadable', error) : error;
    });
    if (!opened) {
      const record = await keys.describe(workspaceId);
      throw new NotConnectedError(record?.state === 'rejected' ? 'key_rejected' : 'no_key');
    }
    return { api: openApi(opened.key), fingerprint: opened.fingerprint, rejected: false };
  }

  function clientOf(workspaceId: string): Promise<Client> {
    const kept = clients.get(workspaceId);
    if (kept) return kept;
    const opening = openClient(workspaceId);
    clients.set(workspaceId, opening);
    opening.catch(() => drop(workspaceId, opening));
    return opening;
  }

  function drop(workspaceId: string, client: Promise<Client>): void {
    if (clients.get(workspaceId) === client) clients.delete(workspaceId);
  }

  async function onRejected(workspaceId: string, opened: Promise<Client>): Promise<void> {
    const client = await opened;
    // At once, and not only when it is on disk: nobody calls with it while it is being marked.
    client.rejected = true;
    try {
      const isFirst = await keys.markRejected(workspaceId, client.fingerprint, now());
      if (isFirst) await onKeyRejected(workspaceId);
    } catch (error) {
      // The caller hears of the 401, which is what happened; the next call marks the key.
      log.error({ err: error, workspace: workspaceId }, 'a rejected key could not be marked');
    } finally {
      drop(workspaceId, opened);
    }
  }

  return {
    async call(workspaceId, use) {
      const opened = clientOf(workspaceId);
      const { api, fingerprint, rejected } = await opened;
      if (rejected) throw new NotConnectedError('key_rejected');
      throwIfToldToWait(fingerprint);
      try {
        return await use(api);
      } catch (error) {
        if (!(error instanceof DesignApiError)) throw error;
        if (error.code === 'rate_limited') waiting.set(fingerprint, error);
        if (error.code === 'unauthorized') await onRejected(workspaceId, opened);
        throw error;
      }
    },
    async ready(workspaceId) {
      if ((await clientOf(workspaceId)).rejected) throw new NotConnectedError('key_rejected');
    },
    withKey: openApi,
    forget: (workspaceId) => void clients.delete(workspaceId),
  };
}
