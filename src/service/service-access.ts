import { LRUCache } from 'lru-cache';
import { atMost } from '../clock.ts';
import type { OwnerId, WorkspaceId } from '../installations/workspace-id.ts';
import type { Log } from '../ops/logging.ts';
import { type ApiKeyRecord, type ApiKeyStore, fingerprintOf } from '../store/api-keys.ts';
import { SealError } from '../store/encryption/sealed-box.ts';
import type { NewJob } from '../store/jobs.ts';
import type { OrganizationWorkspaceStore } from '../store/organization-workspaces.ts';
import type { Transact } from '../store/stores.ts';
import type { Gate, Gates } from './budget/gate.ts';
import type { DesignApi } from './client.ts';
import { DesignApiError } from './errors.ts';

export type NoKeyReason = 'no_key' | 'key_rejected' | 'key_unreadable';

export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError';
  readonly reason: NoKeyReason;
  constructor(reason: NoKeyReason, cause?: Error) {
    super(`The workspace has no usable API key (${reason}).`, { cause });
    this.reason = reason;
  }
}

export type ServiceAccess = ReturnType<typeof createServiceAccess>;

/** Don't keep it beyond one task: another replica may replace the key. */
export type ServiceSession = Awaited<ReturnType<ServiceAccess['open']>>;

/** `isRejected` is set before that is stored, so that no call is made with the key meanwhile. */
type Client = { api: DesignApi; fingerprint: string; isRejected: boolean };

/** For more workspaces than this, keys are decrypted again when they are used. */
const KEPT_CLIENTS = 1_000;

const WARN_EVERY_MS = 60_000;

/** @param deps.keyRejectedJob tells the admins of a workspace that the service rejected its key */
export function createServiceAccess(deps: {
  keys: RejectableKeys;
  openApi: (key: string, gate: Gate) => DesignApi;
  gates: Gates;
  now: () => Date;
  log: Log;
  keyRejectedJob: (workspaceId: WorkspaceId) => NewJob;
}) {
  const { keys, openApi, gates, now, log, keyRejectedJob } = deps;
  const clients = new LRUCache<WorkspaceId, Client>(atMost(KEPT_CLIENTS));
  let warnedAt = Number.NEGATIVE_INFINITY;

  function refuseRejected({ isRejected }: Client): void {
    if (isRejected) throw new NotConnectedError('key_rejected');
  }

  function known(workspaceId: WorkspaceId, fingerprint: string | undefined) {
    const client = clients.get(workspaceId);
    return client?.fingerprint === fingerprint ? client : undefined;
  }

  async function openClient(workspaceId: WorkspaceId): Promise<Client> {
    const opened = await keys.open(workspaceId).catch((error: unknown) => {
      // The key still exists, and can be decrypted with the right keyring.
      throw error instanceof SealError ? new NotConnectedError('key_unreadable', error) : error;
    });
    if (!opened) throw new NotConnectedError('no_key');
    const { key, fingerprint } = opened;
    // Several sessions may have opened it at once.
    const other = known(workspaceId, fingerprint);
    if (other) return other;
    const api = openApi(key, (call, make) =>
      gates.of(fingerprint).pass(call, (maySend) => {
        // The key may have been rejected while this call waited.
        refuseRejected(client);
        return make(maySend);
      }),
    );
    const client: Client = { api, fingerprint, isRejected: false };
    clients.set(workspaceId, client);
    return client;
  }

  async function onRejected(workspaceId: WorkspaceId, client: Client): Promise<void> {
    client.isRejected = true;
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

  /** @throws NotConnectedError if the workspace has no usable key */
  async function open(workspaceId: WorkspaceId) {
    const record = await keys.describe(workspaceId);
    if (record?.state !== 'active') {
      clients.delete(workspaceId);
      throw new NotConnectedError(record?.state === 'rejected' ? 'key_rejected' : 'no_key');
    }
    const client = known(workspaceId, record.fingerprint) ?? (await openClient(workspaceId));
    return {
      workspaceId,
      fingerprint: client.fingerprint,
      keyConnectedAt: record.changedAt,

      /**
       * @throws NotConnectedError if the key was rejected since
       * @throws DesignApiError After a 401, the key is marked as rejected and not used again. With
       *   `rate_limited` or `unavailable` and `retryAt`, the call may not have been made
       */
      async call<Result>(use: (api: DesignApi) => Promise<Result>): Promise<Result> {
        refuseRejected(client);
        try {
          return await use(client.api);
        } catch (error) {
          if (!(error instanceof DesignApiError)) throw error;
          if (error.code === 'unauthorized') await onRejected(workspaceId, client);
          if (error.misdirection) warnOfAddress(error.misdirection);
          throw error;
        }
      },

      /** Makes no call. @throws what `call` would throw if a card can't be created now */
      async ready(): Promise<void> {
        refuseRejected(client);
        await gates.of(client.fingerprint).checkSubmission('createCard');
      },
    };
  }

  return {
    open,
    call: async <Result>(workspaceId: WorkspaceId, use: (api: DesignApi) => Promise<Result>) =>
      (await open(workspaceId)).call(use),
    /** A client for a key that isn't connected (yet). */
    withKey: (key: string) => openApi(key, gates.of(fingerprintOf(key)).pass),
    /** Call this when the workspace's key changes. */
    forget: (workspaceId: WorkspaceId) => void clients.delete(workspaceId),
  };
}

export type RejectableKeys = ReturnType<typeof createEffectiveKeys>;
export type EffectiveKeys = Pick<RejectableKeys, 'describe' | 'open'>;

/** A workspace's own API key, or else the default of the organization that gave it the app. */
export function createEffectiveKeys(deps: {
  keys: ApiKeyStore;
  organizations: Pick<OrganizationWorkspaceStore, 'organizationOf'>;
  transact: Transact;
}) {
  const { keys, organizations, transact } = deps;

  /** Undefined if none was ever connected. */
  async function describe(workspaceId: WorkspaceId): Promise<ApiKeyRecord | undefined> {
    const own = await keys.describe(workspaceId);
    // A rejected key of its own isn't replaced by the default, because an admin chose it.
    if (own && own.state !== 'disconnected') return own;
    const ofOrganization = await organizations.organizationOf(workspaceId);
    const shared = ofOrganization && (await keys.describe(ofOrganization));
    return shared && shared.state !== 'disconnected' ? { ...shared, ofOrganization } : own;
  }
  const ownerOf = async (workspaceId: WorkspaceId): Promise<OwnerId> =>
    (await describe(workspaceId))?.ofOrganization ?? workspaceId;

  return {
    describe,

    /** Undefined unless it is active. @throws SealError if it can't be decrypted */
    open: async (workspaceId: WorkspaceId) => keys.open(await ownerOf(workspaceId)),

    /** In one commit with the job that tells the admins. @returns true for only one of several calls */
    async markRejected(
      workspaceId: WorkspaceId,
      fingerprint: string,
      { now, tell }: { now: Date; tell: NewJob },
    ): Promise<boolean> {
      const ownerId = await ownerOf(workspaceId);
      return transact(async (changes) => {
        const isFirst = await changes.keys.markRejected(ownerId, fingerprint, now);
        if (isFirst) await changes.jobs.add(tell, now);
        return isFirst;
      });
    },
  };
}
