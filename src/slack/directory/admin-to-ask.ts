import type { EffectiveKeys } from '../../installations/effective-keys.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { InstallationStore } from '../../store/installations.ts';
import type { OrganizationWorkspaceStore } from '../../store/organization-workspaces.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { AdminToAsk } from '../words/errors.ts';
import type { People } from './people.ts';

/**
 * Finds an admin whom someone can ask: whoever connected the API key, otherwise whoever installed
 * the app, if they still are an admin. May ask Slack. Never rejects: without a name, words say “a
 * workspace admin”.
 */
export type FindAdminToAsk = (
  client: SlackClient,
  workspaceId: WorkspaceId,
  readerId: string,
) => Promise<AdminToAsk>;

export function createAdminToAsk(deps: {
  keys: Pick<EffectiveKeys, 'describe'>;
  installations: Pick<InstallationStore, 'describe'>;
  organizations: Pick<OrganizationWorkspaceStore, 'organizationOf'>;
  people: People;
  log: Log;
}): FindAdminToAsk {
  const { keys, installations, organizations, people, log } = deps;

  async function installerOf(workspaceId: WorkspaceId): Promise<string | undefined> {
    const organization = await organizations.organizationOf(workspaceId);
    return (await installations.describe(organization ?? workspaceId))?.installedBy;
  }

  return async (client, workspaceId, readerId) => {
    const asAdmin = async (userId: string | undefined) => {
      const person = userId && (await people.lookUp(client, workspaceId, userId));
      return person && person.role === 'admin'
        ? { userId: person.id, name: person.name }
        : undefined;
    };
    try {
      if (await asAdmin(readerId)) return 'reader';
      return (
        (await asAdmin((await keys.describe(workspaceId))?.connectedBy)) ??
        (await asAdmin(await installerOf(workspaceId)))
      );
    } catch (error) {
      log.info({ err: error, workspace: workspaceId }, 'could not find an admin to name');
    }
    return undefined;
  };
}
