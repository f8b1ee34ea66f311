import type { Person } from '../stand-ins/slack/people/person.ts';

/** Whether the form stands before somebody with its brands too, which follow where nobody had read them yet. */
export function seesCompleteForm(person: Person): boolean {
  const shown = person.sees();
  return shown.includes('Request type') && !shown.includes('Loading');
}
