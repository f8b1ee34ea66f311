import type { ApiKeyRecord, ApiKeyStore, OpenedApiKey } from '../store/api-keys.ts';
import type { NewJob } from '../store/jobs.ts';
import type { OrganizationWorkspaceStore } from '../store/organization-workspaces.ts';
import type { Transact } from '../store/transact.ts';
import type { OwnerId, WorkspaceId } from './workspace-id.ts';

/** The API key that a workspace uses: its own, otherwise the default of the organization that gave it the app. */
export type EffectiveKeys = {
  /** What may be shown of the key; undefined if none was ever connected. */
  describe(workspaceId: WorkspaceId): Promise<ApiKeyRecord | undefined>;
  /**
   * The key itself; undefined unless it is active.
   *
   * @throws SealError if the stored key can't be decrypted
   */
  open(workspaceId: WorkspaceId): Promise<OpenedApiKey | undefined>;
};

/** For the code that calls the service, and finds out when a key is rejected. */
export type RejectableKeys = EffectiveKeys & {
  /**
   * Marks a key as rejected and adds the job that tells the admins, in one commit.
   *
   * @returns whether this call changed it: of several, one does
   */
  markRejected(
    workspaceId: WorkspaceId,
    fingerprint: string,
    at: { now: Date; tell: NewJob },
  ): Promise<boolean>;
};

export function createEffectiveKeys(deps: {
  keys: ApiKeyStore;
  organizations: Pick<OrganizationWorkspaceStore, 'organizationOf'>;
  transact: Transact;
}): RejectableKeys {
  const { keys, organizations, transact } = deps;

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
    open: async (workspaceId) => keys.open(await ownerOf(workspaceId)),
    async markRejected(workspaceId, fingerprint, { now, tell }) {
      const ownerId = await ownerOf(workspaceId);
      return transact(async (changes) => {
        const isFirst = await changes.keys.markRejected(ownerId, fingerprint, now);
        if (isFirst) await changes.jobs.add(tell, now);
        return isFirst;
      });
    },
  };
}
