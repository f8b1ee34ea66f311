import { isObject, type JsonObject } from '../../stand-ins/slack/json.ts';
import { labelled } from './labelled.ts';
import type { Look } from './look.ts';
import { withoutControls } from './mrkdwn.ts';

/** A card as the service's API returns it (api.md 2.2), field by field with the API's own names. */
export function cardAsLines(card: JsonObject, look: Look): string[] {
  return Object.entries(card).flatMap(([name, value]) => labelled(name, valueAsText(value), look));
}

function valueAsText(value: unknown): string {
  if (typeof value === 'string') return withoutControls(value) || '""';
  // Status, type, brand, and author are objects with a name; everything else is shown as it is.
  if (isObject(value) && typeof value.name === 'string') {
    const { id, name, ...others } = value;
    const rest = [id, ...Object.values(others)].filter((one) => typeof one === 'string');
    return withoutControls(`${name} (${rest.join(', ')})`);
  }
  return withoutControls(JSON.stringify(value) ?? '');
}
