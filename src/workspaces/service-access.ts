import { LRUCache } from 'lru-cache';
import type { DesignApi } from '../design-api/client.ts';
import { DesignApiError } from '../design-api/errors.ts';
import type { ApiKeyStore } from '../store/api-keys.ts';

/** The workspace has no API key that can be used. */
export class NotConnectedError extends Error {
  readonly reason: 'no_key' | 'key_rejected';
  constructor(reason: 'no_key' | 'key_rejected') {
    super(reason === 'no_key' ? 'No API key is connected.' : 'The API key was rejected.');
    this.name = 'NotConnectedError';
    this.reason = reason;
  }
}

/** The service as one workspace sees it: every call is made with that workspace's own key. */
export type ServiceAccess = {
  /**
   * @throws NotConnectedError where the workspace has no usable key
   * @throws DesignApiError from the call itself; after a 401 the key is marked and used no more
   */
  call<Result>(workspaceId: string, use: (api: DesignApi) => Promise<Result>): Promise<Result>;
  /** A client for a key that is not kept (yet). */
  withKey(key: string): DesignApi;
  /** To be called when the workspace's key changes. */
  forget(workspaceId: string): void;
};

type Client = { api: DesignApi; fingerprint: string };

/** Clients kept open; a workspace beyond them has its key read from the store again. */
const KEPT_CLIENTS = 1_000;

export function createServiceAccess(deps: {
  keys: ApiKeyStore;
  openApi: (key: string) => DesignApi;
  now: () => Date;
  /** Called once for each key that the service rejects. */
  onKeyRejected: (workspaceId: string) => Promise<void>;
}): ServiceAccess {
  const { keys, openApi, now, onKeyRejected } = deps;
  const clients = new LRUCache<string, Client>({
    max: KEPT_CLIENTS,
  });
  /** Keys that the service told to wait, with what it said; asking earlier would prolong it. */
  const waiting = new LRUCache<string, DesignApiError>({ max: KEPT_CLIENTS });

  function throwIfToldToWait(fingerprint: string): void {
    const told = waiting.get(fingerprint);
    if (told?.retryAt && told.retryAt > now()) throw told;
  }

  async function clientOf(workspaceId: string) {
    const kept = clients.get(workspaceId);
    if (kept) return kept;
    const opened = await keys.open(workspaceId);
    if (!opened) {
      const record = await keys.describe(workspaceId);
      throw new NotConnectedError(record?.state === 'rejected' ? 'key_rejected' : 'no_key');
    }
    const client = { api: openApi(opened.key), fingerprint: opened.fingerprint };
    clients.set(workspaceId, client);
    return client;
  }

  async function learnFrom(error: unknown, workspaceId: string, client: Client): Promise<void> {
    if (!(error instanceof DesignApiError)) return;
    if (error.code === 'rate_limited') waiting.set(client.fingerprint, error);
    if (error.code !== 'unauthorized') return;
    if (clients.get(workspaceId) === client) clients.delete(workspaceId);
    const isFirst = await keys.markRejected(workspaceId, client.fingerprint, now());
    if (isFirst) await onKeyRejected(workspaceId);
  }

  return {
    async call(workspaceId, use) {
      const client = await clientOf(workspaceId);
      throwIfToldToWait(client.fingerprint);
      try {
        return await use(client.api);
      } catch (error) {
        await learnFrom(error, workspaceId, client);
        throw error;
      }
    },
    withKey: openApi,
    forget: (workspaceId) => void clients.delete(workspaceId),
  };
}
