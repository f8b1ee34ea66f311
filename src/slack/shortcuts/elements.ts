import type { RichTextElement, RichTextLink, RichTextSection, RichTextText } from '@slack/types';
import { utcMinute } from '../text/blocks.ts';
import { honestLabel, linkTarget, unescapeEntities } from '../text/escape.ts';
import { wellFormed } from '../text/limits.ts';
import { elementText, type RichTextPart } from '../text/rich-text-to-html.ts';

/** What an app or a person posted: any part of it may be missing, unknown, or of an unexpected type. */
export type Posted = { readonly [name: string]: unknown };

export const isPosted = (value: unknown): value is Posted =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');

// Elements of rich text that Slack accepts in a form's field, made from what any app or person posted.

type Style = NonNullable<RichTextText['style']>;

/** Undefined for empty text, which Slack refuses. */
export function textElement(text: string, style?: Style): RichTextText | undefined {
  const shown = wellFormed(text);
  if (shown === '') return undefined;
  return { type: 'text', text: shown, ...(style ? { style } : {}) };
}

/** Links to Slack keep their labels: they mislead nobody, and file names such as `film.mov` look like hosts. */
const SLACK_URL = /^https:\/\/(?:[\w-]+\.){0,4}slack(?:-gov)?\.com\//;

/** A link whose label names no other site; only text if people shouldn't be sent to the address. */
export function linkElement(url: string, text = ''): RichTextElement | undefined {
  const target = linkTarget(url);
  const label = wellFormed(text);
  if (target === undefined) return textElement(label || url);
  const shown = SLACK_URL.test(target) ? label : honestLabel(target, label);
  return { type: 'link', url: target, ...(label ? { text: shown } : {}) };
}

const USER = /^[UW][A-Z0-9]{1,30}$/;
const CHANNEL = /^[CG][A-Z0-9]{1,30}$/;
const USERGROUP = /^S[A-Z0-9]{1,30}$/;

/** Mentions, or text if the ID isn't valid. */
export const userElement = (id: string, label = id): RichTextElement | undefined =>
  USER.test(id) ? { type: 'user', user_id: id } : textElement(`@${label}`);

const channelElement = (id: string, label = id): RichTextElement | undefined =>
  CHANNEL.test(id) ? { type: 'channel', channel_id: id } : textElement(`#${label}`);

const usergroupElement = (id: string, label = `@${id}`): RichTextElement | undefined =>
  USERGROUP.test(id) ? { type: 'usergroup', usergroup_id: id } : textElement(label);

export const sectionOf = (elements: readonly (RichTextElement | undefined)[]): RichTextSection => ({
  type: 'rich_text_section',
  elements: elements.filter((one) => one !== undefined),
});

/** Code can contain only text and links; anything else becomes its text. */
export const asCode = (elements: readonly RichTextElement[]): (RichTextText | RichTextLink)[] =>
  elements.flatMap((one) => {
    if (one.type === 'text' || one.type === 'link') return one;
    return textElement(elementText(one)) ?? [];
  });

const STYLE_NAMES = ['bold', 'italic', 'strike', 'underline', 'code'] as const;
/** The code points of an emoji. With them, the service gets it as a character. */
const CODE_POINTS = /^[0-9a-f]{1,6}(?:-[0-9a-f]{1,6}){0,15}$/;

type ReadElement = (posted: Posted) => RichTextElement | undefined;

export const ELEMENTS: ReadonlyMap<unknown, ReadElement> = new Map<unknown, ReadElement>([
  ['text', ({ text }) => textElement(stringOf(text))],
  ['link', ({ url, text }) => linkElement(stringOf(url), stringOf(text))],
  ['user', ({ user_id }) => userElement(stringOf(user_id))],
  ['channel', ({ channel_id }) => channelElement(stringOf(channel_id))],
  ['usergroup', ({ usergroup_id }) => usergroupElement(stringOf(usergroup_id))],
  ['emoji', emojiOf],
  // As text, since a form should notify nobody, and a field accepts no such elements.
  ['broadcast', ({ range }) => textElement(`@${stringOf(range)}`)],
  ['team', ({ team_id }) => textElement(`@${stringOf(team_id)}`)],
  ['color', ({ value }) => textElement(stringOf(value))],
  ['date', dateOf],
]);

function emojiOf({ name, unicode, skin_tone }: Posted): RichTextElement | undefined {
  const known = stringOf(name);
  if (!/^[\p{L}\p{M}\p{N}_+'-]{1,100}$/u.test(known)) return textElement(`:${known}:`);
  const points = stringOf(unicode);
  return {
    type: 'emoji',
    name: known,
    ...(CODE_POINTS.test(points) ? { unicode: points } : {}),
    ...wholeNumber('skin_tone', skin_tone || undefined, 6),
  };
}

function dateOf({ timestamp, fallback, url }: Posted): RichTextElement | undefined {
  const time = typeof timestamp === 'number' ? utcMinute(timestamp) : '';
  const shown = stringOf(fallback) || time;
  return stringOf(url) ? linkElement(stringOf(url), shown) : textElement(shown);
}

export function styleOf({ style }: Posted): Pick<RichTextElement, 'style'> {
  const on = STYLE_NAMES.filter((name) => isPosted(style) && style[name] === true);
  return on.length > 0 ? { style: Object.fromEntries(on.map((name) => [name, true])) } : {};
}

export const wholeNumber = (name: string, value: unknown, max: number): Record<string, number> =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max
    ? { [name]: Number(value) }
    : {};

/** What isn't plain text in Slack's mrkdwn (docs.slack.dev/messaging/formatting-message-text). */
const TOKEN =
  /<(?<markup>(?:[@#!]|https?:|mailto:)[^<>]*)>|`(?<code>[^`\n]+)`|(?<![\p{L}\p{N}]):(?!\d+:)(?<emoji>[a-z0-9_+'-]{1,100}):(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])(?<mark>[*_~])(?=\S)/gu;
const WORD_START = /^[\p{L}\p{N}]/u;

/** Between two marks, in characters: the search for the second one takes time. */
const MARKED_MAX = 300;

/** The text between the mark at an index and the next one that can end it; undefined if there is none. */
function markedAt(text: string, index: number): string | undefined {
  const [line = ''] = text.slice(index + 1, index + MARKED_MAX + 3).split('\n');
  const mark = text.charAt(index);
  for (let at = line.indexOf(mark, 1); at !== -1; at = line.indexOf(mark, at + 1)) {
    const isEnd = line.charAt(at - 1).trim() !== '' && !WORD_START.test(line.slice(at + 1));
    if (isEnd) return line.slice(0, at);
  }
  return undefined;
}

const STYLES: Record<string, Style> = {
  '*': { bold: true },
  _: { italic: true },
  '~': { strike: true },
};

/** Slack truncates longer messages (docs.slack.dev/reference/methods/chat.postMessage). */
const MESSAGE_MAX = 40_000;

/** A text of an app as parts of rich text: paragraphs, and code between fences. */
export function* mrkdwnParts(text: string): Generator<RichTextPart> {
  for (const [index, piece] of text.slice(0, MESSAGE_MAX).split('```').entries()) {
    const shown = piece.replace(/^\n|\n$/g, '');
    const code = index % 2 === 1 ? textElement(unescapeEntities(shown)) : undefined;
    if (code) yield { type: 'rich_text_preformatted', elements: [code] };
    else yield sectionOf(mrkdwnElements(shown));
  }
}

/** The same as elements, each with `style` and those of the marks around it. */
export function mrkdwnElements(text: string, style: Style = {}): RichTextElement[] {
  const elements: RichTextElement[] = [];
  let end = 0;
  const addPlain = (until: number) =>
    elements.push(...styled(textElement(unescapeEntities(text.slice(end, until))), style));
  for (const { 0: whole, index, groups = {} } of text.matchAll(TOKEN)) {
    const marked = groups.mark === undefined ? undefined : markedAt(text, index);
    // Read already, between marks; or a mark that nothing ends.
    if (index < end || (groups.mark !== undefined && marked === undefined)) continue;
    addPlain(index);
    elements.push(...tokenElements(groups, marked, style));
    end = index + whole.length + (marked === undefined ? 0 : marked.length + 1);
  }
  addPlain(text.length);
  return elements;
}

function tokenElements(
  { markup, code = '', emoji, mark = '' }: Record<string, string | undefined>,
  marked: string | undefined,
  style: Style,
): RichTextElement[] {
  if (marked !== undefined) return mrkdwnElements(marked, { ...style, ...STYLES[mark] });
  if (markup !== undefined) return styled(markupElement(markup), style);
  if (emoji !== undefined) return styled({ type: 'emoji', name: emoji }, style);
  return styled(textElement(unescapeEntities(code)), { ...style, code: true });
}

const styled = (element: RichTextElement | undefined, style: Style): RichTextElement[] => {
  if (!element) return [];
  return [Object.keys(style).length > 0 ? { ...element, style } : element];
};

/** The inside of `<…>`, which is markup because Slack escapes these characters in text. */
function markupElement(inside: string): RichTextElement | undefined {
  const bar = inside.indexOf('|');
  const target = bar === -1 ? inside : inside.slice(0, bar);
  const label = bar === -1 ? undefined : unescapeEntities(inside.slice(bar + 1));
  const id = target.slice(1);
  if (target.startsWith('@')) return userElement(id, label);
  if (target.startsWith('#')) return channelElement(id, label);
  if (!target.startsWith('!')) return linkElement(unescapeEntities(target), label);
  // `<!subteam^S1|@team>`, `<!date^1764058860^{date_short}|Nov 25>`, `<!here>`: notifies nobody.
  const [kind = '', first = ''] = id.split('^');
  if (kind === 'subteam') return usergroupElement(first, label);
  return textElement(kind === 'date' ? (label ?? '') : `@${label ?? kind}`);
}
