import type { RichTextElement } from '@slack/types';
import { unescapeEntities } from '../text/escape.ts';
import type { RichTextPart } from '../text/rich-text-fit.ts';
import { slackDateText } from '../text/slack-date.ts';
import {
  asCode,
  channelElement,
  emojiElement,
  linkElement,
  paragraph,
  type Style,
  textElement,
  userElement,
  usergroupElement,
} from './elements.ts';

/**
 * How a text is formatted: with emoji only, with Slack's own mrkdwn
 * (docs.slack.dev/messaging/formatting-message-text), or with Markdown.
 */
type Dialect = 'plain_text' | 'mrkdwn' | 'markdown';

/** The emoji of this app's own messages, by their names in Slack. */
const EMOJI_CHARACTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    art: '🎨',
    white_check_mark: '✅',
    hourglass_flowing_sand: '⏳',
    warning: '⚠️',
    mag: '🔍',
    red_circle: '🔴',
    large_orange_circle: '🟠',
    large_yellow_circle: '🟡',
    large_green_circle: '🟢',
    large_blue_circle: '🔵',
    large_purple_circle: '🟣',
    large_brown_circle: '🟤',
    black_circle: '⚫',
    white_circle: '⚪',
  }),
);

/** What isn't plain text. The named group that matches tells what it is. */
const TOKENS: Record<Dialect | 'code', RegExp> = {
  plain_text:
    /(?<![\p{L}\p{N}]):(?<emoji>[a-z0-9_+'-]{1,100}):(?::skin-tone-[2-6]:)?(?![\p{L}\p{N}])/gu,
  code: /<(?<markup>[^<>]*)>/gu,
  mrkdwn:
    /<(?<markup>[^<>]*)>|`(?<code>[^`\n]+)`|(?<![\p{L}\p{N}]):(?<emoji>[a-z0-9_+'-]{1,100}):(?::skin-tone-[2-6]:)?(?![\p{L}\p{N}])|(?<mark>[*_~\n])/gu,
  markdown:
    /\\(?<escaped>[!-/:-@[-`{-~])|!?\[(?<label>[^[\]\n]*)\]\((?<url>[^()\s]{1,3000})\)|<(?<markup>(?:https?:|mailto:|[@#!])[^<>\s]*)>|`(?<code>[^`\n]+)`|(?<![\p{L}\p{N}]):(?<emoji>[a-z0-9_+'-]{1,100}):(?::skin-tone-[2-6]:)?(?![\p{L}\p{N}])|(?<mark>\*\*|__|~~|[*_\n])/gu,
};

const STYLES: Record<Dialect | 'code', Record<string, keyof Style>> = {
  plain_text: {},
  code: {},
  mrkdwn: { '*': 'bold', _: 'italic', '~': 'strike' },
  markdown: { '**': 'bold', __: 'bold', '*': 'italic', _: 'italic', '~~': 'strike' },
};

const FENCE = '```';
const QUOTED = /^(?:&gt;|>){1,3} ?/;
const HEADING = /^#{1,6} +/;

/** A formatted text as parts of rich text: paragraphs, quotes, and code. */
export function* formattedParts(text: string, dialect: Dialect): Generator<RichTextPart> {
  if (dialect === 'plain_text') return yield* paragraph(formattedElements(text, dialect));
  const pieces = text.split(FENCE);
  for (const [index, piece] of pieces.entries()) {
    const isFenced = index % 2 === 1;
    const shown = index === 0 ? piece : piece.replace(/^\n/, '');
    // A fence that is never closed is text.
    if (!isFenced) yield* lines(shown, dialect);
    else if (index === pieces.length - 1) yield* lines(FENCE + piece, dialect);
    else {
      const elements = asCode(formattedElements(shown.replace(/\n$/, ''), 'code'));
      if (elements.length > 0) yield { type: 'rich_text_preformatted', elements };
    }
  }
}

/** Each run of quoted lines as a quote, each heading as a bold paragraph, and each run of others as a paragraph. */
function* lines(text: string, dialect: Dialect): Generator<RichTextPart> {
  const kindOf = (line: string) =>
    QUOTED.test(line) ? 'quote' : dialect === 'markdown' && HEADING.test(line) ? 'heading' : 'text';
  const runs: { kind: ReturnType<typeof kindOf>; lines: string[] }[] = [];
  for (const line of text.split('\n')) {
    const kind = kindOf(line);
    const last = runs.at(-1);
    if (last?.kind === kind) last.lines.push(line);
    else runs.push({ kind, lines: [line] });
  }
  for (const { kind, lines: run } of runs) {
    const marker = kind === 'quote' ? QUOTED : HEADING;
    const shown = kind === 'text' ? run : run.map((line) => line.replace(marker, ''));
    const base: Style = kind === 'heading' ? { bold: true } : {};
    const elements = formattedElements(shown.join('\n'), dialect, base);
    if (kind !== 'quote') yield* paragraph(elements);
    else if (elements.length > 0) yield { type: 'rich_text_quote', elements };
  }
}

type Token = RegExpExecArray;

/** A formatted text as elements of rich text, each with `base` and the styles of the text around it. */
export function formattedElements(
  text: string,
  dialect: Dialect | 'code',
  base: Style = {},
): RichTextElement[] {
  const tokens = [...text.matchAll(TOKENS[dialect])];
  const marks = pairsOfMarks(text, tokens, STYLES[dialect]);
  const style = { ...base };
  const elements: (RichTextElement | undefined)[] = [];
  const add = (element: RichTextElement | undefined, extra: Style = {}) => {
    const all = { ...style, ...extra };
    const isStyled = element !== undefined && Object.keys(all).length > 0;
    elements.push(isStyled ? { ...element, style: all } : element);
  };
  let end = 0;
  for (const token of tokens) {
    const mark = marks.get(token);
    if (!mark && token.groups?.mark !== undefined) continue;
    add(textElement(unescapeEntities(text.slice(end, token.index))));
    end = token.index + token[0].length;
    if (mark === undefined) add(elementOf(token), token.groups?.code ? { code: true } : {});
    else if (mark.opens) style[mark.style] = true;
    else delete style[mark.style];
  }
  add(textElement(unescapeEntities(text.slice(end))));
  return elements.filter((one) => one !== undefined);
}

function elementOf({ 0: whole, groups = {} }: Token): RichTextElement | undefined {
  const { markup, code, emoji, escaped, label, url } = groups;
  if (markup !== undefined) return markupElement(markup);
  if (url !== undefined) return linkElement(unescapeEntities(url), unescapeEntities(label ?? ''));
  const character = EMOJI_CHARACTERS.get(emoji ?? '');
  if (character !== undefined) return textElement(character);
  if (emoji !== undefined) return emojiElement(emoji, whole);
  return textElement(unescapeEntities(code ?? escaped ?? whole));
}

const WORD_END = /[\p{L}\p{N}]$/u;
const WORD_START = /^[\p{L}\p{N}]/u;

/** The marks that format what is between them; others are text. Marks of different kinds may overlap. */
function pairsOfMarks(
  text: string,
  tokens: readonly Token[],
  styles: Record<string, keyof Style>,
): Map<Token, { style: keyof Style; opens: boolean }> {
  const paired = new Map<Token, { style: keyof Style; opens: boolean }>();
  const open = new Map<string, Token>();
  for (const token of tokens) {
    const { mark } = token.groups ?? {};
    const style = styles[mark ?? ''];
    if (mark === '\n') open.clear();
    if (mark === undefined || style === undefined) continue;
    const end = token.index + mark.length;
    const before = text.slice(Math.max(token.index - 2, 0), token.index);
    const after = text.slice(end, end + 2);
    const opener = open.get(mark);
    const isAround = opener && opener.index + mark.length < token.index;
    if (isAround && /\S$/.test(before) && !WORD_START.test(after)) {
      paired.set(opener, { style, opens: true }).set(token, { style, opens: false });
      open.delete(mark);
    } else if (/^\S/.test(after) && !WORD_END.test(before)) open.set(mark, token);
  }
  return paired;
}

/** The inside of `<…>`, which is markup because Slack escapes these characters in text. */
function markupElement(inside: string): RichTextElement | undefined {
  const bar = inside.indexOf('|');
  const target = bar === -1 ? inside : inside.slice(0, bar);
  const label = bar === -1 ? undefined : unescapeEntities(inside.slice(bar + 1));
  const id = target.slice(1);
  switch (target[0]) {
    case '@':
      return userElement(id, label);
    case '#':
      return channelElement(id, label);
    case '!':
      return special(id, label);
    default:
      return linkElement(unescapeEntities(target), label);
  }
}

const SECONDS = /^\d{1,13}$/;
/** Our limit, in UTF-16 units, since each date in a format takes time. */
const FORMAT_MAX = 200;

/** `<!here>`, `<!subteam^S1|@team>`, `<!date^1764058860^{date_short}^https://example.com|fallback>`. */
function special(name: string, label: string | undefined): RichTextElement | undefined {
  const [kind = '', id = '', format = '', url] = name.split('^');
  if (kind === 'subteam') return usergroupElement(id, label);
  // As text, since a form should notify nobody.
  if (kind !== 'date') return textElement(`@${label ?? kind}`);
  const isDate = SECONDS.test(id) && format.length <= FORMAT_MAX;
  const shown = (isDate && slackDateText(Number(id), unescapeEntities(format))) || label;
  return url === undefined ? textElement(shown ?? '') : linkElement(unescapeEntities(url), shown);
}
