import type { Log } from '../ops/logging.ts';
import { matchLists } from '../requests/match-lists.ts';
import type { DesignRequest } from '../requests/request.ts';
import { resumeWaiting } from '../requests/resume.ts';
import type { CardReader } from '../service/cache/card-reader.ts';
import type { ReferenceLists } from '../service/cache/reference-lists.ts';
import { DesignApiError } from '../service/errors.ts';
import type { RequestType } from '../service/operations/read-list.ts';
import type { EffectiveKeys, ServiceAccess } from '../service/service-access.ts';
import { type ApiKeyStore, fingerprintOf } from '../store/api-keys.ts';
import { changesBetween } from '../store/audit-entries.ts';
import type { OrganizationWorkspaceStore } from '../store/organization-workspaces.ts';
import type { RequestStore } from '../store/requests.ts';
import type { Administrator, Transact } from '../store/stores.ts';
import {
  asWorkspace,
  type OrganizationId,
  type OwnerId,
  type WorkspaceId,
} from './workspace-id.ts';

export type Connecting = ReturnType<typeof createConnecting>;

export function createConnecting(ctx: {
  keys: EffectiveKeys;
  service: ServiceAccess;
  referenceLists: ReferenceLists;
  cards: CardReader;
  requests: RequestStore;
  organizations: Pick<OrganizationWorkspaceStore, 'organizationOf' | 'workspacesOf'>;
  transact: Transact;
  now: () => Date;
}) {
  const { keys, service, referenceLists, organizations, transact, now } = ctx;

  /** With the organization's own ID, under which events without a known workspace are stored. */
  const servedBy = async (owner: OwnerId) => [
    asWorkspace(owner),
    ...(await organizations.workspacesOf(owner)),
  ];

  return {
    describe: keys.describe,

    /** The organization that gave the workspace the app, if the person administers it. */
    async organizationOf(workspaceId: WorkspaceId, { administers }: Administrator) {
      const organizationId = await organizations.organizationOf(workspaceId);
      return organizationId && administers.includes(organizationId) ? organizationId : undefined;
    },

    /**
     * Saves a key if the service accepts it. Requests that waited for a key are sent.
     *
     * @param input.organizationId if the key is its default for workspaces without one
     * @returns how many of them are sent, and the authors of those that have to be finished first
     */
    async connect(input: {
      workspaceId: WorkspaceId;
      by: Administrator;
      key: string;
      organizationId?: OrganizationId | undefined;
    }) {
      const { workspaceId, key, by, organizationId: owner = workspaceId } = input;
      let requestTypes: RequestType[];
      try {
        // As far as we know, every key may list request types, which the form needs next.
        requestTypes = await service.withKey(key).listRequestTypes();
      } catch (error) {
        if (!(error instanceof DesignApiError)) throw error;
        return { connected: false as const, code: error.code };
      }
      await transact(async ({ administer }) => {
        const { keys: stored, record } = await administer(owner, by);
        const before = await stored.describe(owner);
        await stored.save(owner, key, by.id, now());
        const after = await stored.describe(owner);
        const changes = changesBetween({ key: before?.lastFour }, { key: after?.lastFour });
        await record({ what: 'key_connected', changes }, now());
      });
      const resumed: DesignRequest[] = [];
      for (const id of new Set([workspaceId, ...(await servedBy(owner))])) {
        forgetKey(ctx, id);
        resumed.push(...(await resumeWaiting(ctx, id)));
      }
      // Also lets the next form open complete.
      const lists = await referenceLists
        .formOptions(workspaceId)
        .catch(() => ({ requestTypes, brands: undefined }));
      // A brand that can't be looked up yet will be when the request is sent.
      const known = (form: DesignRequest['form']) =>
        lists.brands ? form : { ...form, brand: undefined };
      const toFinish = resumed.filter(({ form }) => !matchLists(known(form), lists));
      const sent = resumed.length - toFinish.length;
      return { connected: true as const, sent, authors: toFinish.map(({ userId }) => userId) };
    },

    /** Requests then wait for a new key. @returns false if there was none */
    async disconnect({ owner, by }: { owner: OwnerId; by: Administrator }): Promise<boolean> {
      const removed = await transact(async ({ administer }) => {
        const { keys: stored, record } = await administer(owner, by);
        const before = await stored.describe(owner);
        if (!(await stored.disconnect(owner, now()))) return false;
        const changes = [{ field: 'key', before: before?.lastFour }];
        await record({ what: 'key_disconnected', changes }, now());
        return true;
      });
      for (const id of await servedBy(owner)) forgetKey(ctx, id);
      return removed;
    },
  };
}

/** Drops the client and everything that was read with the previous key. */
export function forgetKey(
  ctx: { service: ServiceAccess; referenceLists: ReferenceLists; cards: CardReader },
  workspaceId: WorkspaceId,
): void {
  ctx.service.forget(workspaceId);
  ctx.referenceLists.forget(workspaceId);
  ctx.cards.forget(workspaceId);
}

/** Connects DESIGN_API_KEY if no key ever was; otherwise warns unless it is the connected one. */
export async function connectFromSettings(
  ctx: { transact: Transact; keys: Pick<ApiKeyStore, 'describe'>; now: () => Date; log: Log },
  workspaceId: WorkspaceId,
  key: string,
): Promise<void> {
  const { keys, now, log } = ctx;
  const about = { workspace: workspaceId };
  const isConnected = await ctx.transact(async (stores) => {
    if (!(await stores.keys.seed(workspaceId, key, now()))) return false;
    const after = await stores.keys.describe(workspaceId);
    const changes = changesBetween({}, { key: after?.lastFour });
    const entry = { what: 'key_connected', by: undefined, changes } as const;
    await stores.auditEntries.add(workspaceId, entry, now());
    return true;
  });
  if (isConnected) return log.info(about, 'connected the API key from DESIGN_API_KEY');
  const stored = await keys.describe(workspaceId);
  if (stored?.state === 'active' && stored.fingerprint === fingerprintOf(key)) return;
  log.warn(
    { ...about, state: stored?.state },
    'DESIGN_API_KEY is ignored: it only counts until a key is connected. To use it, an admin types /design-request connect',
  );
}
