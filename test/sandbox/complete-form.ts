import { asObject, objectsOf } from '../stand-ins/slack/json.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';

/** Whether a person's form is complete, including its brands, which come later if they weren't cached. */
export function seesCompleteForm(person: Person): boolean {
  return hasField(person, 'Title') && !person.sees().includes('Loading');
}

export function hasField(person: Person, label: string): boolean {
  try {
    return Boolean(person.field(label));
  } catch {
    return false;
  }
}

/** The value of the request type that a person's form is drawn for, whatever was chosen since. */
export function drawnType(person: Person): unknown {
  const elements = objectsOf(person.currentView()?.view.blocks).map(({ element }) =>
    asObject(element),
  );
  const menu = elements.find(({ action_id }) => action_id === 'requestType');
  return asObject(menu?.initial_option).value;
}
