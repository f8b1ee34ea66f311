import type { ApiKeyRecord, ApiKeyStore } from '../store/api-keys.ts';
import type { NewJob } from '../store/jobs.ts';
import type { OrganizationWorkspaceStore } from '../store/organization-workspaces.ts';
import type { Transact } from '../store/transact.ts';
import type { OwnerId, WorkspaceId } from './workspace-id.ts';

/** For the code that calls the service, and finds out when a key is rejected. */
export type RejectableKeys = ReturnType<typeof createEffectiveKeys>;
export type EffectiveKeys = Pick<RejectableKeys, 'describe' | 'open'>;

/** The API key that a workspace uses: its own, otherwise the default of the organization that gave it the app. */
export function createEffectiveKeys(deps: {
  keys: ApiKeyStore;
  organizations: Pick<OrganizationWorkspaceStore, 'organizationOf'>;
  transact: Transact;
}) {
  const { keys, organizations, transact } = deps;

  /** What may be shown of the key; undefined if none was ever connected. */
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

    /**
     * The key itself; undefined unless it is active.
     *
     * @throws SealError if the stored key can't be decrypted
     */
    open: async (workspaceId: WorkspaceId) => keys.open(await ownerOf(workspaceId)),

    /**
     * Marks a key as rejected and adds the job that tells the admins, in one commit.
     *
     * @returns whether this call changed it: of several, one does
     */
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
