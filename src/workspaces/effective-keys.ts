import type { ApiKeyRecord, ApiKeyStore, OpenedApiKey } from '../store/api-keys.ts';
import type { OrganisationWorkspaceStore } from '../store/organisation-workspaces.ts';
import type { OrganisationId, OwnerId, WorkspaceId } from './workspace-id.ts';

/**
 * API keys as workspaces work with them: each with its own, else with the default of the organisation
 * that gave it the app. What is kept or removed is of exactly the workspace or organisation that is named.
 */
export type EffectiveKeys = Pick<ApiKeyStore, 'save' | 'seed' | 'disconnect'> & {
  /** What may be shown of the key; undefined where none was ever connected. */
  describe(workspaceId: WorkspaceId): Promise<ApiKeyRecord | undefined>;
  /**
   * The key itself; undefined unless it is active.
   *
   * @throws SealError where the stored record can't be opened
   */
  open(workspaceId: WorkspaceId): Promise<OpenedApiKey | undefined>;
  /** @returns true for the caller whose call changed it */
  markRejected(workspaceId: WorkspaceId, fingerprint: string, now: Date): Promise<boolean>;
};

export function createEffectiveKeys(deps: {
  keys: ApiKeyStore;
  organisations: Pick<OrganisationWorkspaceStore, 'organisationOf'>;
}): EffectiveKeys {
  const { keys, organisations } = deps;

  /** The organisation whose key the workspace works with; undefined where it is its own, or none. */
  async function sharingWith(workspaceId: WorkspaceId): Promise<OrganisationId | undefined> {
    const own = await keys.describe(workspaceId);
    // A key of its own that was rejected is not passed over: somebody meant just that one.
    if (own && own.state !== 'disconnected') return undefined;
    const organisationId = await organisations.organisationOf(workspaceId);
    if (organisationId === undefined) return undefined;
    const shared = await keys.describe(organisationId);
    return shared && shared.state !== 'disconnected' ? organisationId : undefined;
  }
  const ownerOf = async (workspaceId: WorkspaceId): Promise<OwnerId> =>
    (await sharingWith(workspaceId)) ?? workspaceId;

  return {
    ...keys,
    open: async (workspaceId) => keys.open(await ownerOf(workspaceId)),
    async describe(workspaceId) {
      const ofOrganisation = await sharingWith(workspaceId);
      const record = await keys.describe(ofOrganisation ?? workspaceId);
      return record && ofOrganisation ? { ...record, ofOrganisation } : record;
    },
    markRejected: async (workspaceId, fingerprint, now) =>
      keys.markRejected(await ownerOf(workspaceId), fingerprint, now),
  };
}
