import { unescapeEntities } from '../text/escape.ts';
import type { RichTextPart } from '../text/rich-text-fit.ts';
import { slackDateText } from '../text/slack-date.ts';
import { FROM_MESSAGE } from '../words/shortcuts.ts';
import {
  DEPTH_MAX,
  inlineOf,
  isPosted,
  type LeftOut,
  labelOf,
  linkElement,
  listOf,
  type Parts,
  type Posted,
  paragraph,
  stringOf,
  textElement,
  textOf,
} from './elements.ts';
import { formattedElements, formattedParts } from './formatted-text.ts';
import { isRichTextPart, richTextPart } from './rich-text-parts.ts';

/** The types of buttons, menus, and input fields. */
const CONTROL = /(?:button|buttons|select|picker|overflow|checkboxes|menu|_input)$/;
/** Properties that people don't see: identifiers and styles. Files are collected separately. */
const NOT_SHOWN =
  /^(?:type|ids?|ts|token|hash|style|color|level|width|align|verbatim|emoji|locale|team|confirm|files?|slack_file|metadata)$|_(?:ids?|ts|type|token|style|mode|hash|metadata)$|icon|avatar/;
const WEB_ADDRESS = /^https?:\/\/\S+$/i;

/**
 * Passes on the parts that `read` yields.
 *
 * @returns whether there were any, and what was left out
 */
function* passedOn(
  left: Set<LeftOut>,
  read: (own: Set<LeftOut>) => Iterable<RichTextPart>,
): Generator<RichTextPart, { hasParts: boolean; own: Set<LeftOut> }> {
  const own = new Set<LeftOut>();
  let hasParts = false;
  for (const part of read(own)) {
    hasParts = true;
    yield part;
  }
  for (const one of own) left.add(one);
  return { hasParts, own };
}

export function* blockParts(blocks: readonly unknown[], left: Set<LeftOut>, depth = 0): Parts {
  for (const posted of blocks) {
    if (typeof posted === 'string' && depth > 0) yield* stringParts(posted);
    else if (isPosted(posted) && depth <= DEPTH_MAX) yield* objectParts(posted, left, depth);
    else left.add('parts');
  }
}

/** A block, or an object in one. */
function* objectParts(posted: Posted, left: Set<LeftOut>, depth: number): Parts {
  const { hasParts, own } = yield* passedOn(left, (own) => contentOf(posted, own, depth));
  const isBlock = depth === 0 || typeof posted.type === 'string';
  if (!hasParts && own.size === 0 && isBlock && !isSilent(posted)) left.add('parts');
}

/** Whether nothing is lost if nothing was read: it may be empty, or is a file, which is collected separately. */
const isSilent = ({ type, slack_file, file }: Posted) =>
  type === 'divider' || type === 'rich_text' || isPosted(slack_file) || isPosted(file);

type Read = (posted: Posted, left: Set<LeftOut>, depth: number) => Iterable<RichTextPart>;

const plain: Read = ({ text, value }) => {
  const number = typeof value === 'number' ? `${value}` : '';
  return formattedParts(stringOf(text) || stringOf(value) || number, 'plain_text');
};

/** Kinds with a way of their own to be read; any other is read as whatever it contains. */
const KINDS: Record<string, Read> = {
  file: () => [],
  plain_text: plain,
  raw_text: plain,
  raw_number: plain,
  image: pictureParts,
  header: ({ text }) => paragraph(formattedElements(textOf(text), 'plain_text', { bold: true })),
  markdown: ({ text }) => formattedParts(textOf(text), 'markdown'),
  rich_text: ({ elements }, left, depth) => richTextParts(listOf(elements), left, depth),
  *video({ title, title_url, video_url, thumbnail_url: _picture, ...rest }, left, depth) {
    const url = stringOf(title_url) || stringOf(video_url);
    yield* paragraph([linkElement(url, textOf(title) || undefined)]);
    yield* unknownParts(rest, left, depth);
  },
};

function contentOf(posted: Posted, left: Set<LeftOut>, depth: number): Iterable<RichTextPart> {
  const type = stringOf(posted.type);
  const read = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
  return (read ?? (CONTROL.test(type) ? controlParts : unknownParts))(posted, left, depth);
}

/** For an unknown part, whatever else it contains, and then its elements. */
function* richTextParts(parts: readonly unknown[], left: Set<LeftOut>, depth: number): Parts {
  for (const posted of parts) {
    if (!isPosted(posted) || isRichTextPart(posted)) {
      yield* richTextPart(posted, left);
      continue;
    }
    const { elements, ...rest } = posted;
    const inside = listOf(elements);
    if (inside.length === 0 || depth > DEPTH_MAX) {
      yield* blockParts([rest], left, depth + 1);
      continue;
    }
    yield* unknownParts(rest, left, depth + 1);
    const isNested = inside.some((one) => isPosted(one) && listOf(one.elements).length > 0);
    if (isNested) yield* richTextParts(inside, left, depth + 1);
    else yield* richTextPart({ type: 'rich_text_section', elements: inside }, left);
  }
}

/** A picture as a link, with its title and its alternative text. */
function* pictureParts({ image_url, slack_file, title, alt_text }: Posted): Parts {
  const url = stringOf(image_url) || (isPosted(slack_file) ? stringOf(slack_file.url) : '');
  const [name, alt] = [textOf(title), stringOf(alt_text)];
  const label = name || alt;
  const more = name && alt && alt !== name ? textElement(` (${alt})`) : undefined;
  const shown = url ? linkElement(url, label || FROM_MESSAGE.picture) : textElement(label);
  yield* paragraph([shown, more]);
}

/** A control's links, or else the choices that it shows: nobody can use the control in a form. */
function* controlParts(posted: unknown, left: Set<LeftOut>, depth: number): Parts {
  if (!isPosted(posted)) return void left.add('parts');
  if (posted.type === 'image') return yield* pictureParts(posted);
  const options = listOf(posted.options).filter(isPosted);
  const linked = [posted, ...options].filter(({ url }) => typeof url === 'string' && url !== '');
  for (const one of linked) {
    yield* paragraph([linkElement(stringOf(one.url), textOf(one.text) || undefined)]);
  }
  if (linked.length > 0) return;
  left.add('controls');
  const isList = posted.type === 'checkboxes' || posted.type === 'radio_buttons';
  const chosen = [posted.initial_option, ...listOf(posted.initial_options)].filter(isPosted);
  for (const { text, description } of isList ? options : chosen) {
    yield* unknownParts({ text, description }, left, depth);
  }
}

/** Everything that people may see of an object, in the order of its properties. */
function* unknownParts(posted: Posted, left: Set<LeftOut>, depth: number): Parts {
  const url = ['url', 'link', 'href'].map((name) => stringOf(posted[name])).find(Boolean);
  const label = labelOf(posted);
  const isLink = url !== undefined && label !== '';
  if (isLink) yield* paragraph([linkElement(url, label)]);
  for (const [name, value] of Object.entries(posted)) {
    const isShown = isLink && (value === url || textOf(value) === label);
    if (!isShown && !isHidden(name, value)) yield* valueParts(name, value, left, depth);
  }
}

const isHidden = (name: string, value: unknown) =>
  NOT_SHOWN.test(name) && !(isPosted(value) && value.type === 'image');

function* valueParts(name: string, value: unknown, left: Set<LeftOut>, depth: number): Parts {
  if (name === 'rows') return yield* rowParts(listOf(value), left, depth);
  if (name === 'value' && typeof value === 'number') return yield* stringParts(`${value}`);
  const values = Array.isArray(value) ? value : [value];
  yield* blockParts(values.flat().filter(isReadable), left, depth + 1);
}

/** Numbers, booleans, and nulls in a list say nothing. */
const isReadable = (value: unknown) =>
  typeof value === 'string' || (typeof value === 'object' && value !== null);

function* stringParts(text: string): Parts {
  if (WEB_ADDRESS.test(text)) yield* paragraph([linkElement(text, undefined)]);
  else yield* formattedParts(text, 'mrkdwn');
}

/** Each row of a table as a line. */
function* rowParts(rows: readonly unknown[], left: Set<LeftOut>, depth: number): Parts {
  for (const row of rows) {
    const cells = (Array.isArray(row) ? row : [row]).map((cell) =>
      [...blockParts([cell], left, depth + 1)].flatMap(inlineOf),
    );
    yield* paragraph(
      cells.flatMap((cell, index) => (index === 0 ? cell : [textElement(' | '), ...cell])),
    );
  }
}

/**
 * A message's attachment: an app's, a link's preview, or a forwarded message.
 *
 * @param isLinked whether what was copied already links to the address
 */
export function* attachmentParts(
  posted: unknown,
  left: Set<LeftOut>,
  isLinked: (url: string) => boolean,
  depth = 0,
): Parts {
  if (!isPosted(posted) || depth > DEPTH_MAX) return void left.add('parts');
  const { hasParts, own } = yield* passedOn(left, (own) => attached(posted, own, isLinked, depth));
  if (hasParts) return;
  const fallback = stringOf(posted.fallback);
  yield* formattedParts(fallback, 'mrkdwn');
  const isEmpty = fallback === '' && listOf(posted.files).length === 0;
  if (isEmpty && own.size === 0) left.add('parts');
}

function* attached(
  posted: Posted,
  left: Set<LeftOut>,
  isLinked: (url: string) => boolean,
  depth: number,
): Parts {
  yield* formattedParts(stringOf(posted.pretext), 'mrkdwn');
  yield* namedParts(posted.service_name, posted.service_url);
  yield* namedParts(posted.author_name, posted.author_link);
  yield* namedParts(posted.author_subname, undefined);
  yield* namedParts(posted.title, posted.title_link);
  const messages = listOf(posted.message_blocks).filter(isPosted);
  const forwarded = messages.map(({ message, ...rest }) => (isPosted(message) ? message : rest));
  yield* shownParts({ ...posted, text: forwarded.length === 0 ? posted.text : '' }, left);
  for (const { blocks, text } of forwarded) {
    yield* shownParts({ blocks, text: textOf(text) || posted.text }, left);
  }
  yield* fieldParts(posted);
  for (const action of listOf(posted.actions)) yield* controlParts(action, left, depth);
  yield* addressParts(
    [posted.image_url, posted.thumb_url, posted.video_url],
    FROM_MESSAGE.picture,
    isLinked,
  );
  yield* footerParts(posted);
  for (const { attachments } of [posted, ...forwarded]) {
    for (const one of listOf(attachments)) yield* attachmentParts(one, left, isLinked, depth + 1);
  }
  const isMessage = posted.is_share === true || posted.is_msg_unfurl === true;
  const label = isMessage ? FROM_MESSAGE.original : undefined;
  yield* addressParts([posted.from_url || posted.original_url], label, isLinked);
}

/** Links to those addresses that nothing links to yet. */
function* addressParts(
  addresses: readonly unknown[],
  label: string | undefined,
  isLinked: (url: string) => boolean,
): Parts {
  for (const url of addresses.map(stringOf)) {
    if (url && !isLinked(url)) yield* paragraph([linkElement(url, label)]);
  }
}

function* fieldParts({ fields }: Posted): Parts {
  for (const field of listOf(fields).filter(isPosted)) {
    const title = formattedElements(textOf(field.title), 'plain_text');
    const colon = title.length > 0 ? textElement(': ') : undefined;
    yield* paragraph([...title, colon, ...formattedElements(textOf(field.value), 'mrkdwn')]);
  }
}

function* namedParts(name: unknown, link: unknown): Parts {
  const [shown, url] = [textOf(name), stringOf(link)];
  if (url) yield* paragraph([linkElement(url, unescapeEntities(shown))]);
  else yield* paragraph(formattedElements(shown, 'plain_text', { bold: true }));
}

/** Blocks, and the text too if some of them couldn't be read. */
function* shownParts({ blocks, text }: Posted, left: Set<LeftOut>): Parts {
  const { hasParts, own } = yield* passedOn(left, (own) => blockParts(listOf(blocks), own));
  if (!hasParts || own.has('parts')) yield* formattedParts(textOf(text), 'mrkdwn');
}

/** “From the tracker · Nov 14, 2023” */
function* footerParts({ footer, ts }: Posted): Parts {
  const shown = formattedElements(textOf(footer), 'mrkdwn');
  const seconds = Number(typeof ts === 'number' ? ts : stringOf(ts));
  const date = seconds > 0 ? textElement(slackDateText(seconds, '{date_short}')) : undefined;
  const between = shown.length > 0 && date ? textElement(' · ') : undefined;
  yield* paragraph([...shown, between, date]);
}
