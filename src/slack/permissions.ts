import type { WorkspaceSettings } from '../store/workspace-settings.ts';
import type { Person } from './people.ts';

/** Why somebody may not do something, in words for that person; undefined where it is allowed. */
export type Refusal = string | undefined;

/** Cards are for full members; for guests only where an admin allows it; never for another company. */
export function refuseReading(person: Person, settings: WorkspaceSettings): Refusal {
  if (person.role === 'guest' && !settings.guestsRead) {
    return 'Only full members of this workspace can read cards. Ask one of them, or a workspace admin to allow guests.';
  }
  return refuseOutsider(person);
}

/** What is a person's own, as requests are, is for guests too; never for another company. */
export function refuseOutsider(person: Person): Refusal {
  return person.role === 'outsider' ? OUTSIDER : undefined;
}

export function refuseAdministering(person: Person): Refusal {
  return person.role === 'admin'
    ? undefined
    : 'Only workspace admins and owners can do this. Ask one of them.';
}

const OUTSIDER =
  'This belongs to the other company in this channel, so only its own people can use it.';
