import type { RichTextBlock, RichTextElement, RichTextSection } from '@slack/types';
import { slackDateText } from './slack-date.ts';

/** Looks up names for IDs in a rich text; undefined if unknown. */
export type Names = {
  user(id: string): string | undefined;
  channel(id: string): string | undefined;
  usergroup(id: string): string | undefined;
};

type Part = RichTextBlock['elements'][number];

const EMOJI_CODE_POINTS = /^[0-9a-f]{1,6}(?:-[0-9a-f]{1,6}){0,15}$/i;
const LAST_CODE_POINT = 0x10ffff;

/** The visible text of an element: mentions by name (or ID), emoji as characters (or `:name:`). */
export function elementText(element: RichTextElement, names: Names): string {
  switch (element.type) {
    case 'text':
      return element.text;
    case 'link':
      return element.text || element.url;
    case 'emoji':
      return emojiCharacters(element.unicode) ?? `:${element.name}:`;
    case 'user':
      return `@${names.user(element.user_id) ?? element.user_id}`;
    case 'channel':
      return `#${names.channel(element.channel_id) ?? element.channel_id}`;
    case 'usergroup':
      return `@${names.usergroup(element.usergroup_id) ?? element.usergroup_id}`;
    case 'team':
      return `@${element.team_id}`;
    case 'broadcast':
      return `@${element.range}`;
    case 'color':
      return element.value;
    case 'date':
      return element.fallback || slackDateText(element.timestamp, element.format);
    default:
      return textOfUnknown(element);
  }
}

/** All inline elements of a block, in order. */
export function inlineElements(block: RichTextBlock): RichTextElement[] {
  return block.elements.flatMap((part) => sectionsOf(part).flatMap(({ elements }) => elements));
}

/** The words of a block, however it is divided into sections. */
export const wordsOf = (block: RichTextBlock): string =>
  block.elements
    .flatMap(sectionsOf)
    .map(({ elements }) =>
      elements.map((element) => ('text' in element ? element.text : element.type)).join(''),
    )
    .join(' ')
    .split(/\s+/)
    .join(' ')
    .trim();

/** The items of a list; for other parts, the part itself. */
function sectionsOf(part: Part): { elements: RichTextSection['elements'] }[] {
  return part.type === 'rich_text_list' ? part.elements : [part];
}

// Slack may add element types; show their text, if they have any.
function textOfUnknown(element: never): string {
  const unknown: { text?: unknown } = element;
  return typeof unknown.text === 'string' ? unknown.text : '';
}

function emojiCharacters(unicode: string | undefined): string | undefined {
  if (unicode === undefined || !EMOJI_CODE_POINTS.test(unicode)) return undefined;
  const points = unicode.split('-').map((hex) => Number.parseInt(hex, 16));
  return points.every((point) => point <= LAST_CODE_POINT)
    ? String.fromCodePoint(...points)
    : undefined;
}
