import { LRUCache } from 'lru-cache';
import { forwardOnly } from '../clock.ts';
import type { InstallationStore } from '../store/installations.ts';
import type { OrganisationWorkspaceStore } from '../store/organisation-workspaces.ts';
import type { OwnerId } from './workspace-id.ts';

/** Whether the app is in a workspace, as far as the database knows. */
export type InstalledCheck = {
  /** @param id a workspace, or an organisation that installed the app */
  has(id: OwnerId): Promise<boolean>;
  /** To be called when it may have left. */
  forget(id: OwnerId): void;
};

/** Another replica may have heard of an uninstall: it is noticed here after this long, in ms. */
const REMEMBERED_MS = 5_000;
const REMEMBERED_WORKSPACES = 10_000;

/** Asked for every delivery, so a yes is remembered for some seconds; a no is not. */
export function createInstalledCheck(deps: {
  installations: Pick<InstallationStore, 'describe'>;
  organisations: Pick<OrganisationWorkspaceStore, 'organisationOf'>;
  now: () => Date;
}): InstalledCheck {
  const { installations, organisations, now } = deps;
  const present = new LRUCache<OwnerId, true>({
    max: REMEMBERED_WORKSPACES,
    ttl: REMEMBERED_MS,
    perf: { now: forwardOnly(now) },
    ttlResolution: 0,
  });
  /** What is forgotten while it is looked up is not remembered by that look. */
  let forgotten = 0;

  return {
    async has(id) {
      if (present.has(id)) return true;
      const before = forgotten;
      const found =
        (await installations.describe(id)) !== undefined ||
        (await organisations.organisationOf(id)) !== undefined;
      if (found && before === forgotten) present.set(id, true);
      return found;
    },
    forget(id) {
      forgotten += 1;
      present.delete(id);
    },
  };
}
