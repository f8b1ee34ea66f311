import type { WorkspaceSettings } from '../../installations/settings.ts';
import type { AuthorDenied } from '../../requests/request.ts';
import type { Person } from '../directory/people.ts';
import type { Denied } from '../words/errors.ts';

/**
 * Who may use a part of the app. `users`: full members, and guests if an admin allows them.
 * `admins`: workspace admins and owners. Never people from other companies.
 */
export type Access = 'users' | 'admins';

/** Only the access of guests depends on the workspace's settings, so they are read only for them. */
type ReadSettings = () => Promise<Pick<WorkspaceSettings, 'guestsAllowed'>>;

/** The only access rule: applied to every surface, and to every request before it is sent. */
export async function whyDenied(
  person: Person,
  access: Access,
  readSettings: ReadSettings,
): Promise<Denied | undefined> {
  const denied = await whyNotUser(person, readSettings);
  if (denied || access === 'users') return denied;
  return person.role === 'admin' ? undefined : 'not_admin';
}

export async function whyNotUser(
  { role }: Person,
  readSettings: ReadSettings,
): Promise<AuthorDenied | undefined> {
  if (role === 'outsider' || role === 'deactivated') return role;
  if (role !== 'guest') return undefined;
  return (await readSettings()).guestsAllowed ? undefined : 'guest';
}
