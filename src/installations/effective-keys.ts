import type { ApiKeyRecord, ApiKeyStore, OpenedApiKey } from '../store/api-keys.ts';
import type { NewJob } from '../store/insert-jobs.ts';
import type { OrganisationWorkspaceStore } from '../store/organisation-workspaces.ts';
import type { Transact } from '../store/transact.ts';
import type { OwnerId, WorkspaceId } from './workspace-id.ts';

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
};

/** The same keys for whoever calls the service with them, and finds out when one is rejected. */
export type RejectableKeys = EffectiveKeys & {
  /**
   * Marks the key that the service rejected, in one commit with the job that tells of it: a process that
   * ends in between would leave a marked key of which nobody hears.
   *
   * @returns true for the caller whose call changed it
   */
  markRejected(
    workspaceId: WorkspaceId,
    fingerprint: string,
    at: { now: Date; tell: NewJob },
  ): Promise<boolean>;
};

export function createEffectiveKeys(deps: {
  keys: ApiKeyStore;
  organisations: Pick<OrganisationWorkspaceStore, 'organisationOf'>;
  transact: Transact;
}): RejectableKeys {
  const { keys, organisations, transact } = deps;

  async function describe(workspaceId: WorkspaceId): Promise<ApiKeyRecord | undefined> {
    const own = await keys.describe(workspaceId);
    // A rejected key of its own is not replaced by the default: an admin chose that key.
    if (own && own.state !== 'disconnected') return own;
    const ofOrganisation = await organisations.organisationOf(workspaceId);
    const shared = ofOrganisation && (await keys.describe(ofOrganisation));
    return shared && shared.state !== 'disconnected' ? { ...shared, ofOrganisation } : own;
  }
  const ownerOf = async (workspaceId: WorkspaceId): Promise<OwnerId> =>
    (await describe(workspaceId))?.ofOrganisation ?? workspaceId;

  return {
    ...keys,
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
