import type { AuthorDenied } from '../../requests/request.ts';
import type { WorkspaceSettings } from '../../store/workspace-settings.ts';
import type { Person } from './people.ts';

/**
 * Who may use a part of the app. `users` are the workspace's full members, and its guests if an admin
 * allows them; `admins` are its admins and owners. People of other companies are neither.
 */
export type Access = 'users' | 'admins';

export type Denied = AuthorDenied | 'not_admin';

/** The app's one access rule: every surface, and every request before it is sent, is checked here. */
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
