import { LRUCache } from 'lru-cache';
import { atMost, forAtMost } from '../clock.ts';
import type { InstallationStore } from '../store/installations.ts';
import type { OrganizationWorkspaceStore } from '../store/organization-workspaces.ts';
import type { OwnerId } from './workspace-id.ts';

/** How long it may take to notice an uninstall that another replica has handled, in ms. */
const CACHED_MS = 5_000;
const CACHED_WORKSPACES = 10_000;

export type InstalledCheck = ReturnType<typeof createInstalledCheck>;

/**
 * Whether a workspace has the app, according to the database. Since every delivery is checked, a positive result is
 * cached; a negative one is not.
 */
export function createInstalledCheck(deps: {
  installations: Pick<InstallationStore, 'describe'>;
  organizations: Pick<OrganizationWorkspaceStore, 'organizationOf'>;
  now: () => Date;
}) {
  const { installations, organizations, now } = deps;
  const present = new LRUCache<OwnerId, true>({
    ...atMost(CACHED_WORKSPACES),
    ...forAtMost(CACHED_MS, now),
  });
  /** Counts calls of `forget`: a lookup that was running during one isn't cached. */
  let forgotten = 0;

  return {
    /** @param id a workspace, or an organization that installed the app */
    async has(id: OwnerId): Promise<boolean> {
      if (present.has(id)) return true;
      const before = forgotten;
      const found =
        (await installations.describe(id)) !== undefined ||
        (await organizations.organizationOf(id)) !== undefined;
      if (found && before === forgotten) present.set(id, true);
      return found;
    },
    /** Call this when it may have been uninstalled. */
    forget(id: OwnerId): void {
      forgotten += 1;
      present.delete(id);
    },
  };
}
