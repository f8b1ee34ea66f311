import { LRUCache } from 'lru-cache';
import { upTo } from '../bounded.ts';
import { CALL_CLASSES, type CallClass } from '../design-api/call-class.ts';
import type { DesignApi } from '../design-api/client.ts';
import { DesignApiError } from '../design-api/errors.ts';
import type { Gate } from '../design-api/gate.ts';
import { type Gates, gateFor } from '../design-api/gates.ts';
import type { Log } from '../ops/logging.ts';
import { fingerprintOf, type OpenedApiKey } from '../store/api-keys.ts';
import { SealError } from '../store/sealed-box.ts';
import type { EffectiveKeys } from './effective-keys.ts';
import type { WorkspaceId } from './workspace-id.ts';

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
   * @throws DesignApiError from the call itself; after a 401 the key is marked and used no more. With
   *   `rate_limited` or `unavailable` and `retryAt` also where it was not made, for want of budget or
   *   because the service is unwell; who waits for it decides about that
   */
  call<Result>(
    workspaceId: WorkspaceId,
    use: (api: DesignApi) => Promise<Result>,
    options?: { class?: CallClass },
  ): Promise<Result>;
  /**
   * Makes sure that a card can be created now, without making a call.
   *
   * @throws NotConnectedError where the workspace has no usable key
   * @throws DesignApiError `rate_limited` with `retryAt` where its key has no call left now
   */
  ready(workspaceId: WorkspaceId): Promise<void>;
  /**
   * @returns the fingerprint of the key that calls are made with
   * @throws NotConnectedError where the workspace has no usable key
   */
  keyInUse(workspaceId: WorkspaceId): Promise<string>;
  /** A client for a key that is not kept (yet). */
  withKey(key: string): Promise<DesignApi>;
  /** To be called when the workspace's key changes. */
  forget(workspaceId: WorkspaceId): void;
};

type Client = {
  /** The service for calls of each class. */
  apis: Record<CallClass, DesignApi>;
  fingerprint: string;
  rejected: boolean;
};

/** Clients kept open; a workspace beyond them has its key read from the store again. */
const KEPT_CLIENTS = 1_000;

export function createServiceAccess(deps: {
  keys: EffectiveKeys;
  openApi: (key: string, gate: Gate) => Promise<DesignApi>;
  gates: Gates;
  now: () => Date;
  log: Log;
  /** Called once for each key that the service rejects. */
  onKeyRejected: (workspaceId: WorkspaceId) => Promise<void>;
}): ServiceAccess {
  const { keys, openApi, gates, now, log, onKeyRejected } = deps;
  // Kept from when their opening begins: what is forgotten meanwhile does not come back by it.
  const clients = new LRUCache<WorkspaceId, Promise<Client>>(upTo(KEPT_CLIENTS));

  async function openClient(workspaceId: WorkspaceId): Promise<Client> {
    const opened = await keys.open(workspaceId).catch((error: unknown) => {
      // The key is there all the same: with the right keyring it can be read again.
      throw error instanceof SealError ? new NotConnectedError('key_unreadable', error) : error;
    });
    if (!opened) {
      const record = await keys.describe(workspaceId);
      throw new NotConnectedError(record?.state === 'rejected' ? 'key_rejected' : 'no_key');
    }
    return clientFor(opened);
  }

  async function clientFor({ key, fingerprint }: OpenedApiKey): Promise<Client> {
    const apiFor = (callClass: CallClass) => {
      const gate = gateFor(gates.of(fingerprint), callClass);
      return openApi(key, (call, make) =>
        gate(call, () => {
          // It may have been rejected while this call waited for its turn.
          if (client.rejected) throw new NotConnectedError('key_rejected');
          return make();
        }),
      );
    };
    const apis = Object.fromEntries(
      await Promise.all(
        CALL_CLASSES.map(async (callClass) => [callClass, await apiFor(callClass)] as const),
      ),
    ) as Record<CallClass, DesignApi>;
    const client: Client = { apis, fingerprint, rejected: false };
    return client;
  }

  function clientOf(workspaceId: WorkspaceId): Promise<Client> {
    const kept = clients.get(workspaceId);
    if (kept) return kept;
    const opening = openClient(workspaceId);
    clients.set(workspaceId, opening);
    opening.catch(() => drop(workspaceId, opening));
    return opening;
  }

  /** Another replica may have replaced the key, removed it, or had it refused. */
  async function dropOutdated(workspaceId: WorkspaceId): Promise<void> {
    const kept = clients.get(workspaceId);
    const client = await kept?.catch(() => undefined);
    if (!kept || !client) return;
    const record = await keys.describe(workspaceId);
    const isCurrent = record?.state === 'active' && record.fingerprint === client.fingerprint;
    if (!isCurrent) drop(workspaceId, kept);
  }

  function drop(workspaceId: WorkspaceId, client: Promise<Client>): void {
    if (clients.get(workspaceId) === client) clients.delete(workspaceId);
  }

  async function onRejected(workspaceId: WorkspaceId, opened: Promise<Client>): Promise<void> {
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

  async function keyInUse(workspaceId: WorkspaceId): Promise<string> {
    await dropOutdated(workspaceId);
    const { fingerprint, rejected } = await clientOf(workspaceId);
    if (rejected) throw new NotConnectedError('key_rejected');
    return fingerprint;
  }

  return {
    async call(workspaceId, use, options) {
      await dropOutdated(workspaceId);
      const opened = clientOf(workspaceId);
      const { apis, rejected } = await opened;
      if (rejected) throw new NotConnectedError('key_rejected');
      try {
        return await use(apis[options?.class ?? 'person']);
      } catch (error) {
        const isRejected = error instanceof DesignApiError && error.code === 'unauthorized';
        if (isRejected) await onRejected(workspaceId, opened);
        throw error;
      }
    },
    keyInUse,
    async ready(workspaceId) {
      const fingerprint = await keyInUse(workspaceId);
      await gates.of(fingerprint).check({ operation: 'createCard', method: 'POST' });
    },
    withKey: (key) => openApi(key, gateFor(gates.of(fingerprintOf(key)), 'person')),
    forget: (workspaceId) => void clients.delete(workspaceId),
  };
}
