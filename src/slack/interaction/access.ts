import type { WorkspaceSettings } from '../../installations/settings.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { AuthorDenied } from '../../requests/request.ts';
import { DesignApiError } from '../../service/errors.ts';
import type { EffectiveKeys } from '../../service/service-access.ts';
import { NotConnectedError } from '../../service/service-access.ts';
import type { InstallationStore } from '../../store/installations.ts';
import type { OrganizationWorkspaceStore } from '../../store/organization-workspaces.ts';
import type { MaxAge, People, Person } from '../client/people.ts';
import type { SlackClient } from '../client/slack-client.ts';
import {
  type AdminToAsk,
  type Denied,
  wordsForDenied,
  wordsForServiceError,
} from '../words/errors.ts';

/**
 * Who may use a part of the app. `users`: full members, and guests if an admin allows them.
 * `admins`: workspace admins and owners. Never people from other companies.
 */
export type Access = 'users' | 'admins';

/** The person who acted, before their access is checked. */
export type Actor = { client: SlackClient; workspaceId: WorkspaceId; userId: string };

/** Someone who passed the access check, with what they did. Only this module creates one. */
export type Allowed<Acting extends Actor> = Acting & { person: Person };
export type AllowedUser = Allowed<Actor>;

type AccessCheck<Acting extends Actor> = { user: Allowed<Acting> } | { denied: Denied };

/** Called only for guests: nobody else's access depends on the workspace's settings. */
type ReadSettings = () => Promise<Pick<WorkspaceSettings, 'guestsAllowed'>>;

/** The only access rule: applied to every route, and to every request before it is sent. */
export async function accessDenial(
  { role }: Person,
  readSettings: ReadSettings,
): Promise<AuthorDenied | undefined> {
  if (role === 'outsider' || role === 'deactivated') return role;
  if (role !== 'guest') return undefined;
  return (await readSettings()).guestsAllowed ? undefined : 'guest';
}

export type AccessControl = ReturnType<typeof createAccess>;

/** Who may do something, why not, and who can change that. */
export function createAccess(deps: {
  people: People;
  settings: { get(workspaceId: WorkspaceId): ReturnType<ReadSettings> };
  keys: Pick<EffectiveKeys, 'describe'>;
  installations: Pick<InstallationStore, 'describe'>;
  organizations: Pick<OrganizationWorkspaceStore, 'organizationOf'>;
  log: Log;
}) {
  const { people, settings, keys, installations, organizations, log } = deps;

  async function installerOf(workspaceId: WorkspaceId): Promise<string | undefined> {
    const organization = await organizations.organizationOf(workspaceId);
    return (await installations.describe(organization ?? workspaceId))?.installedBy;
  }

  /**
   * Finds an admin to ask: whoever connected the API key, otherwise whoever installed the app, if they still are an admin.
   * Never rejects: without a name, words say “a workspace admin”.
   *
   * @param asksSlack false if there is no time for that; the button that asks finds someone else if this is outdated
   */
  async function adminToAsk(
    reader: Actor & { person?: Person },
    { asksSlack = true } = {},
  ): Promise<AdminToAsk> {
    const { client, workspaceId } = reader;
    const asAdmin = async (userId: string | undefined, ifUnknown = false) => {
      if (userId === undefined) return undefined;
      const person = asksSlack
        ? await people.lookUp(client, workspaceId, userId)
        : people.cached(workspaceId, userId, 'any');
      const isAdmin = person ? person.role === 'admin' : ifUnknown;
      return isAdmin ? { userId, name: person?.name } : undefined;
    };
    try {
      const { person, userId } = reader;
      if (person ? person.role === 'admin' : await asAdmin(userId)) return 'reader';
      // Only admins connect a key, but not only admins install apps.
      return (
        (await asAdmin((await keys.describe(workspaceId))?.connectedBy, true)) ??
        (await asAdmin(await installerOf(workspaceId)))
      );
    } catch (error) {
      log.info({ err: error, workspace: workspaceId }, 'could not find an admin to name');
    }
    return undefined;
  }

  async function applyRule<Acting extends Actor>(
    actor: Acting,
    person: Person,
    access: Access,
  ): Promise<AccessCheck<Acting>> {
    const { workspaceId } = actor;
    const denied = await accessDenial(person, () => settings.get(workspaceId));
    if (denied) return { denied };
    return access === 'admins' && person.role !== 'admin'
      ? { denied: 'not_admin' }
      : { user: { ...actor, person } };
  }

  return {
    adminToAsk,

    /**
     * Asks Slack who someone is (always for what only admins may do, otherwise if the cached answer is
     * old) and applies the access rule.
     *
     * @throws Slack's error if it doesn't answer
     */
    async check<Acting extends Actor>(actor: Acting, access: Access): Promise<AccessCheck<Acting>> {
      const { client, workspaceId, userId } = actor;
      const fresh = access === 'admins';
      const person = await people.lookUp(client, workspaceId, userId, { fresh });
      return applyRule(actor, person, access);
    },

    /**
     * The same with Slack's last answer, or undefined without one, for when there is no time to ask: before an
     * acknowledgment or a modal. Showing content needs a `recent` answer. Call `check` before anything takes effect.
     */
    async checkCached(actor: Actor, access: Access, age: MaxAge) {
      const person = people.cached(actor.workspaceId, actor.userId, age);
      return person && applyRule(actor, person, access);
    },

    /** Why someone has no access, naming an admin if one can change that. */
    async explainDenied(actor: Actor, denied: Denied): Promise<string> {
      const canBeChanged = denied === 'guest' || denied === 'not_admin';
      return wordsForDenied(denied, canBeChanged ? await adminToAsk(actor) : undefined);
    },

    /** Why the service can't be read, naming an admin if the key is why. @throws any other error */
    async explainServiceError(actor: Actor, error: unknown): Promise<string> {
      const isAboutKey =
        error instanceof NotConnectedError ||
        (error instanceof DesignApiError && error.code === 'unauthorized');
      return wordsForServiceError(error, isAboutKey ? await adminToAsk(actor) : undefined);
    },
  };
}
