import type { RichTextElement, RichTextLink, RichTextSection, RichTextText } from '@slack/types';
import { wellFormed } from '../text/limits.ts';
import { honestLabel, linkTarget } from '../text/link-target.ts';
import { elementText } from '../text/rich-text-elements.ts';
import type { RichTextPart } from '../text/rich-text-fit.ts';

// What an app or a person posted: any part of it may be missing, unknown, or of an unexpected type.

export type Posted = { readonly [name: string]: unknown };

/** What couldn't be copied: buttons and menus, or parts of which nothing could be read. */
export type LeftOut = 'controls' | 'parts';

/** Deepest nesting that is read. Slack's own blocks nest five deep. */
export const DEPTH_MAX = 16;

export const isPosted = (value: unknown): value is Posted =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The text of a text object, or a plain string; '' if it is neither. */
export const textOf = (value: unknown): string =>
  isPosted(value) ? stringOf(value.text) : stringOf(value);

export type Parts = Generator<RichTextPart>;

const LABELS = ['text', 'title', 'label', 'name', 'alt_text', 'fallback'];

/** What an object of unknown kind calls itself; '' if it says nothing. */
export const labelOf = (posted: Posted): string =>
  LABELS.map((name) => textOf(posted[name])).find((label) => label !== '') ?? '';

/** All elements of a part, in order. */
export const inlineOf = (part: RichTextPart): RichTextElement[] =>
  part.type === 'rich_text_list'
    ? part.elements.flatMap(({ elements }) => elements)
    : part.elements;

// Elements of rich text that Slack accepts in a form's field, made from what any app or person posted.

export type Style = NonNullable<RichTextText['style']>;

const USER = /^[UW][A-Z0-9]{1,30}$/;
const CHANNEL = /^[CG][A-Z0-9]{1,30}$/;
const USERGROUP = /^S[A-Z0-9]{1,30}$/;
/** Digits between colons are text, as in `10 :30: 45`, except for the emoji :100: and :1234:. */
const NUMBER = /^(?!100$|1234$)\d+$/;
export const NO_NAMES = {
  user: () => undefined,
  channel: () => undefined,
  usergroup: () => undefined,
};
const EMOJI = /^[\p{L}\p{M}\p{N}_+'-]{1,100}$/u;

/** Undefined for empty text, which Slack refuses. */
export function textElement(text: string, style?: Style): RichTextText | undefined {
  const shown = wellFormed(text);
  if (shown === '') return undefined;
  return { type: 'text', text: shown, ...(style ? { style } : {}) };
}

/** Links to Slack keep their labels: they mislead nobody, and file names such as `film.mov` look like hosts. */
const SLACKS = /^https:\/\/(?:[\w-]+\.){0,4}slack(?:-gov)?\.com\//;

/** A link whose label names no other site; only text if people shouldn't be sent to the address. */
export function linkElement(url: string, text: string | undefined): RichTextElement | undefined {
  const target = linkTarget(url);
  const label = text === undefined ? '' : wellFormed(text);
  if (target === undefined) return textElement(label || url);
  return {
    type: 'link',
    url: target,
    ...(label ? { text: SLACKS.test(target) ? label : honestLabel(target, label) } : {}),
  };
}

/** Mentions, or text if the ID isn't valid. */
export const userElement = (id: string, label = id): RichTextElement | undefined =>
  USER.test(id) ? { type: 'user', user_id: id } : textElement(`@${label}`);

export const channelElement = (id: string, label = id): RichTextElement | undefined =>
  CHANNEL.test(id) ? { type: 'channel', channel_id: id } : textElement(`#${label}`);

export const usergroupElement = (id: string, label = id): RichTextElement | undefined =>
  USERGROUP.test(id) ? { type: 'usergroup', usergroup_id: id } : textElement(`@${label}`);

/** @param written the text to use if the name isn't an emoji's */
export const emojiElement = (name: string, written = `:${name}:`): RichTextElement | undefined =>
  EMOJI.test(name) && !NUMBER.test(name) ? { type: 'emoji', name } : textElement(written);

export const sectionOf = (elements: readonly (RichTextElement | undefined)[]): RichTextSection => ({
  type: 'rich_text_section',
  elements: elements.filter((one) => one !== undefined),
});

/** A section, unless it is empty. */
export function* paragraph(
  elements: readonly (RichTextElement | undefined)[],
): Generator<RichTextSection> {
  const section = sectionOf(elements);
  if (section.elements.length > 0) yield section;
}

/** Code can contain only text and links; anything else becomes its text. */
export const asCode = (elements: readonly RichTextElement[]): (RichTextText | RichTextLink)[] =>
  elements.flatMap((one) => {
    if (one.type === 'text' || one.type === 'link') return one;
    return textElement(elementText(one, NO_NAMES)) ?? [];
  });
