import { asText, type JsonObject, objectsOf } from '../../stand-ins/slack/json.ts';
import type { Look } from './look.ts';
import { withoutControls } from './mrkdwn.ts';

/** The text of a rich_text block, one line per section or list item. */
export function richTextAsText(block: JsonObject, look: Look): string {
  return objectsOf(block.elements)
    .flatMap((part) => linesOf(part, look))
    .join('\n');
}

function linesOf(part: JsonObject, look: Look): string[] {
  const inside = objectsOf(part.elements);
  if (part.type === 'rich_text_list') return inside.map((entry) => `• ${inline(entry, look)}`);
  return [inline(part, look)];
}

const inline = (part: JsonObject, look: Look): string =>
  objectsOf(part.elements)
    .map((element) => word(element, look))
    .join('');

function word(element: JsonObject, { nameOf }: Look): string {
  switch (element.type) {
    case 'user':
      return nameOf(asText(element.user_id));
    case 'channel':
      return nameOf(asText(element.channel_id));
    case 'link':
      return withoutControls(asText(element.text) || asText(element.url));
    case 'emoji':
      return `:${asText(element.name)}:`;
    default:
      return withoutControls(asText(element.text));
  }
}
