import type { AuthorDenied } from '../../requests/request.ts';
import type { WorkspaceSettings } from '../../store/workspace-settings.ts';
import type { Person } from '../directory/people.ts';
import type { Denied } from '../words/errors.ts';

/**
 * Who may use a part of the app. `users`: full members, and guests if an admin allows them.
 * `admins`: workspace admins and owners. Never people from other companies.
 */
export type Access = 'users' | 'admins';

/** The only access rule: applied to every surface, and to every request before it is sent. */
export function whyDenied(
  person: Person,
  access: Access,
  settings: WorkspaceSettings,
): Denied | undefined {
  const denied = whyNotUser(person, settings);
  if (denied || access === 'users') return denied;
  return person.role === 'admin' ? undefined : 'not_admin';
}

export function whyNotUser(
  { role }: Person,
  { guestsAllowed }: WorkspaceSettings,
): AuthorDenied | undefined {
  if (role === 'outsider' || role === 'deactivated') return role;
  return role === 'guest' && !guestsAllowed ? 'guest' : undefined;
}
