import type { EffectiveKeys } from '../../installations/effective-keys.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { InstallationStore } from '../../store/installations.ts';
import type { OrganizationWorkspaceStore } from '../../store/organization-workspaces.ts';
import type { People, Person } from '../client/people.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { AdminToAsk } from '../words/errors.ts';

export function createAdminToAsk(deps: {
  keys: Pick<EffectiveKeys, 'describe'>;
  installations: Pick<InstallationStore, 'describe'>;
  organizations: Pick<OrganizationWorkspaceStore, 'organizationOf'>;
  people: People;
  log: Log;
}) {
  const { keys, installations, organizations, people, log } = deps;

  async function installerOf(workspaceId: WorkspaceId): Promise<string | undefined> {
    const organization = await organizations.organizationOf(workspaceId);
    return (await installations.describe(organization ?? workspaceId))?.installedBy;
  }

  /**
   * Finds an admin whom someone can ask: whoever connected the API key, otherwise whoever installed
   * the app, if they still are an admin. May ask Slack. Never rejects: without a name, words say “a
   * workspace admin”.
   */
  async function adminToAsk(
    client: SlackClient,
    workspaceId: WorkspaceId,
    readerId: string,
  ): Promise<AdminToAsk> {
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
  }

  /**
   * The same from what is stored and cached, for a modal before which there is no time to ask Slack. If that is outdated,
   * the button that asks finds someone else.
   */
  async function knownAdminToAsk(workspaceId: WorkspaceId, reader: Person): Promise<AdminToAsk> {
    if (reader.role === 'admin') return 'reader';
    const connectedBy = (await keys.describe(workspaceId))?.connectedBy;
    const userId = connectedBy ?? (await installerOf(workspaceId));
    if (userId === undefined) return undefined;
    const person = people.cached(workspaceId, userId, 'any');
    // Not only admins install apps.
    const isAdmin = person ? person.role === 'admin' : userId === connectedBy;
    return isAdmin ? { userId, name: person?.name } : undefined;
  }

  return { adminToAsk, knownAdminToAsk };
}
