import { LRUCache } from 'lru-cache';
import { atMost } from '../bounds.ts';
import type { RejectableKeys } from '../installations/effective-keys.ts';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { Log } from '../ops/logging.ts';
import { fingerprintOf, type OpenedApiKey } from '../store/api-keys.ts';
import { SealError } from '../store/encryption/sealed-box.ts';
import type { NewJob } from '../store/jobs.ts';
import type { Gate, Gates, KeyGate } from './budget/gate.ts';
import type { DesignApi } from './client.ts';
import { DesignApiError } from './errors.ts';

/** Why there is no usable key: none is connected, the service rejected it, or it can't be decrypted. */
export type NoKeyReason = 'no_key' | 'key_rejected' | 'key_unreadable';

const NO_KEY: Record<NoKeyReason, string> = {
  no_key: 'No API key is connected.',
  key_rejected: 'The API key was rejected.',
  key_unreadable: 'The API key can’t be read with ENCRYPTION_KEYS.',
};

/** The workspace has no usable API key. */
export class NotConnectedError extends Error {
  readonly reason: NoKeyReason;
  constructor(reason: NoKeyReason, cause?: Error) {
    super(NO_KEY[reason], { cause });
    this.name = 'NotConnectedError';
    this.reason = reason;
  }
}

/** The service, with the key that the workspace had when the session was opened. */
export type ServiceSession = {
  /** Identifies the key. */
  fingerprint: string;
  /** When the key was connected. */
  keyConnectedAt: Date;
  /**
   * @throws NotConnectedError if the key was rejected since
   * @throws DesignApiError from the call. After a 401, the key is marked as rejected and not used again. With
   *   `rate_limited` or `unavailable` and `retryAt`, the call may not have been made, because the budget is
   *   used up or the breaker is open
   */
  call<Result>(use: (api: DesignApi) => Promise<Result>): Promise<Result>;
  /**
   * Checks that a card can be created now, without making a call.
   *
   * @throws NotConnectedError if the key was rejected since
   * @throws DesignApiError `rate_limited` with `retryAt` if the budget is used up
   */
  ready(): Promise<void>;
};

/** Calls the service for a workspace, with the workspace's key. */
export type ServiceAccess = {
  /**
   * Looks up the workspace's key, once for all calls of the session. Don't keep a session beyond one task,
   * because another replica may replace the key.
   *
   * @throws NotConnectedError if the workspace has no usable key
   */
  open(workspaceId: WorkspaceId): Promise<ServiceSession>;
  /** Opens a session for a single call. */
  call<Result>(workspaceId: WorkspaceId, use: (api: DesignApi) => Promise<Result>): Promise<Result>;
  /** A client for a key that isn't connected (yet). */
  withKey(key: string): DesignApi;
  /** Call this when the workspace's key changes. */
  forget(workspaceId: WorkspaceId): void;
};

type Client = {
  api: DesignApi;
  gate: KeyGate;
  fingerprint: string;
  rejected: boolean;
};

/** For more workspaces than this, keys are decrypted again when they are used. */
const KEPT_CLIENTS = 1_000;

const WARN_EVERY_MS = 60_000;

export function createServiceAccess(deps: {
  keys: RejectableKeys;
  openApi: (key: string, gate: Gate) => DesignApi;
  gates: Gates;
  now: () => Date;
  log: Log;
  /** Tells the admins of a workspace that the service rejected its key. */
  keyRejectedJob: (workspaceId: WorkspaceId) => NewJob;
}): ServiceAccess {
  const { keys, openApi, gates, now, log, keyRejectedJob } = deps;
  // Promises, so that a client that is forgotten while it is being opened isn't cached afterwards.
  const clients = new LRUCache<WorkspaceId, Promise<Client>>(atMost(KEPT_CLIENTS));
  let warnedAt = Number.NEGATIVE_INFINITY;

  async function openClient(workspaceId: WorkspaceId): Promise<Client> {
    const opened = await keys.open(workspaceId).catch((error: unknown) => {
      // The key still exists, and can be decrypted with the right keyring.
      throw error instanceof SealError ? new NotConnectedError('key_unreadable', error) : error;
    });
    if (!opened) throw new NotConnectedError('no_key');
    return clientFor(opened);
  }

  function clientFor({ key, fingerprint }: OpenedApiKey): Client {
    const gate = gates.of(fingerprint);
    const api = openApi(key, (call, make) =>
      gate.pass(call, (maySend) => {
        // The key may have been rejected while this call was queued.
        if (client.rejected) throw new NotConnectedError('key_rejected');
        return make(maySend);
      }),
    );
    const client: Client = { api, gate, fingerprint, rejected: false };
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

  /** The client for the current key, which another replica may have replaced. */
  async function currentClient(
    workspaceId: WorkspaceId,
  ): Promise<{ client: Client; keyConnectedAt: Date }> {
    const record = await keys.describe(workspaceId);
    if (record?.state !== 'active') {
      clients.delete(workspaceId);
      throw new NotConnectedError(record?.state === 'rejected' ? 'key_rejected' : 'no_key');
    }
    const kept = clients.get(workspaceId);
    const client = await kept?.catch(() => undefined);
    if (kept && client?.fingerprint !== record.fingerprint) drop(workspaceId, kept);
    return { client: await clientOf(workspaceId), keyConnectedAt: record.changedAt };
  }

  function drop(workspaceId: WorkspaceId, client: Promise<Client>): void {
    if (clients.get(workspaceId) === client) clients.delete(workspaceId);
  }

  async function onRejected(workspaceId: WorkspaceId, client: Client): Promise<void> {
    // Before it is stored, so that no call is made with it meanwhile.
    client.rejected = true;
    try {
      const tell = keyRejectedJob(workspaceId);
      await keys.markRejected(workspaceId, client.fingerprint, { now: now(), tell });
    } catch (error) {
      // The caller gets the 401 anyway, and the next call with the key will mark it.
      log.error({ err: error, workspace: workspaceId }, 'could not mark an API key as rejected');
    } finally {
      clients.delete(workspaceId);
    }
  }

  /** Every call fails in the same way, so one line a minute is enough. */
  function warnOfAddress(answer: string): void {
    const at = now().getTime();
    if (Math.abs(at - warnedAt) < WARN_EVERY_MS) return;
    warnedAt = at;
    log.warn({ answer }, 'what answers at DESIGN_API_BASE_URL is not the design service');
  }

  function sessionOf(
    workspaceId: WorkspaceId,
    { client, keyConnectedAt }: { client: Client; keyConnectedAt: Date },
  ): ServiceSession {
    const { api, gate, fingerprint } = client;
    const refuseRejected = () => {
      if (client.rejected) throw new NotConnectedError('key_rejected');
    };
    return {
      fingerprint,
      keyConnectedAt,
      async call(use) {
        refuseRejected();
        try {
          return await use(api);
        } catch (error) {
          const isRejected = error instanceof DesignApiError && error.code === 'unauthorized';
          if (isRejected) await onRejected(workspaceId, client);
          if (error instanceof DesignApiError && error.misdirection)
            warnOfAddress(error.misdirection);
          throw error;
        }
      },
      async ready() {
        refuseRejected();
        await gate.check({ operation: 'createCard', method: 'POST' });
      },
    };
  }

  const open = async (workspaceId: WorkspaceId) =>
    sessionOf(workspaceId, await currentClient(workspaceId));

  return {
    open,
    call: async (workspaceId, use) => (await open(workspaceId)).call(use),
    withKey: (key) => openApi(key, gates.of(fingerprintOf(key)).pass),
    forget: (workspaceId) => void clients.delete(workspaceId),
  };
}
