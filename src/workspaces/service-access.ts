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
  const clients = new LRUCache<string, { api: DesignApi; fingerprint: string }>({
    max: KEPT_CLIENTS,
  });

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

  return {
    async call(workspaceId, use) {
      const client = await clientOf(workspaceId);
      try {
        return await use(client.api);
      } catch (error) {
        if (error instanceof DesignApiError && error.code === 'unauthorized') {
          if (clients.get(workspaceId) === client) clients.delete(workspaceId);
          if (await keys.markRejected(workspaceId, client.fingerprint, now())) {
            await onKeyRejected(workspaceId);
          }
        }
        throw error;
      }
    },
    withKey: openApi,
    forget: (workspaceId) => void clients.delete(workspaceId),
  };
}
