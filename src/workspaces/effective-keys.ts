import type { ApiKeyStore } from '../store/api-keys.ts';
import type { OrganisationWorkspaceStore } from '../store/organisation-workspaces.ts';

/**
 * API keys as workspaces work with them: each with its own, else with the default of the organisation
 * that gave it the app. What is kept, removed or sealed is of exactly the workspace or organisation that
 * is named.
 */
export function createEffectiveKeys(deps: {
  keys: ApiKeyStore;
  organisations: Pick<OrganisationWorkspaceStore, 'organisationOf'>;
}): ApiKeyStore {
  const { keys, organisations } = deps;

  /** Whose key it is that the workspace works with; its own where there is none at all. */
  async function ownerOf(workspaceId: string): Promise<string> {
    const own = await keys.describe(workspaceId);
    // A key of its own that was rejected is not passed over: somebody meant just that one.
    if (own && own.state !== 'disconnected') return workspaceId;
    const organisationId = await organisations.organisationOf(workspaceId);
    if (organisationId === undefined) return workspaceId;
    const shared = await keys.describe(organisationId);
    return shared && shared.state !== 'disconnected' ? organisationId : workspaceId;
  }

  return {
    ...keys,
    open: async (workspaceId) => keys.open(await ownerOf(workspaceId)),
    async describe(workspaceId) {
      const owner = await ownerOf(workspaceId);
      const record = await keys.describe(owner);
      return record && owner !== workspaceId ? { ...record, ofOrganisation: owner } : record;
    },
    markRejected: async (workspaceId, fingerprint, now) =>
      keys.markRejected(await ownerOf(workspaceId), fingerprint, now),
  };
}
