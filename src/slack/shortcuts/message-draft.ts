import type { RichTextBlock, RichTextElement, RichTextSection } from '@slack/types';
import type { AttachedFile, FormDraft } from '../../requests/request.ts';
import type { FileOfMessage } from '../request-form/form-files.ts';
import { isBlank } from '../text/limits.ts';
import { linkTarget } from '../text/link-target.ts';
import { elementText } from '../text/rich-text-elements.ts';
import { fitRichText, type RichTextPart } from '../text/rich-text-fit.ts';
import { FROM_MESSAGE, wordsForLeftFile } from '../words/shortcuts.ts';
import {
  DEPTH_MAX,
  inlineOf,
  isPosted,
  type LeftOut,
  linkElement,
  listOf,
  NO_NAMES,
  type Posted,
  sectionOf,
  stringOf,
  textElement,
  userElement,
} from './elements.ts';
import { formattedParts } from './formatted-text.ts';
import { attachmentParts, blockParts } from './message-parts.ts';

/** The message that a shortcut was used on, as far as it could be read. */
type SharedMessage = ReturnType<typeof readSharedMessage>;

/**
 * Reads `message` of a message shortcut's payload. Anything may be missing, and messages from apps contain whatever
 * those apps sent. Never throws.
 */
export function readSharedMessage(payload: unknown) {
  const given = isPosted(payload) ? payload : {};
  // What Slack leaves of a deleted message that has replies: nothing of it is read.
  const isDeleted = given.subtype === 'tombstone';
  const posted: Posted = isDeleted ? {} : given;
  const { user, bot_id, username, bot_profile, text, blocks, attachments, files, file } = posted;
  const botName = stringOf(username) || (isPosted(bot_profile) ? stringOf(bot_profile.name) : '');
  const isNamedBot = stringOf(bot_id) !== '' && botName !== '';
  return {
    authorId: isNamedBot ? '' : stringOf(user),
    botName,
    text: stringOf(text),
    blocks: listOf(blocks),
    attachments: listOf(attachments),
    files: filesIn({ files, file, blocks, attachments }),
    isDeleted,
  };
}

const UNSEEN = new Map<string | undefined, FileOfMessage['problem']>([
  ['tombstone', 'deleted'],
  ['hidden_by_limit', 'hidden'],
]);

/** Every file of a message and of the messages forwarded in it, and their pictures that are stored in Slack. */
function filesIn(content: Posted): FileOfMessage[] {
  const found = new Map<string, FileOfMessage>();
  const add = (posted: unknown) => {
    const first = (...names: string[]) =>
      names.map((name) => (isPosted(posted) ? stringOf(posted[name]) : '')).find(Boolean);
    const id = first('id');
    const problem = UNSEEN.get(first('mode'));
    const link = first('permalink', 'external_url', 'url_private');
    // Files stored in Slack have unique IDs. Each file without one counts.
    const key = id ?? `${found.size}`;
    if (!found.has(key)) found.set(key, { id, name: first('name', 'title'), link, problem });
  };
  for (const [name, value] of namedValues(content, 0)) {
    if (name === 'files') (isPosted(value) ? [value] : listOf(value)).forEach(add);
    const isStored = name === 'slack_file' || name === 'file';
    // A picture with an address becomes a link in its place.
    if (isStored && isPosted(value) && typeof value.id === 'string' && value.url === undefined)
      add(value);
  }
  return [...found.values()];
}

/** Every value in a content, at any depth, with its property's name. */
function* namedValues(posted: unknown, depth: number): Generator<[name: string, value: unknown]> {
  if (typeof posted !== 'object' || posted === null || depth > 2 * DEPTH_MAX) return;
  for (const [name, value] of Object.entries(posted)) {
    yield [name, value];
    yield* namedValues(value, depth + 1);
  }
}

/**
 * How much of a message is copied, in bytes of JSON and in elements. Of what a form takes (RICH_TEXT_BYTES_MAX), this
 * leaves room for what people add.
 */
const COPIED = { bytes: 40_000, elements: 800 };
/** In characters. A longer first line is a paragraph rather than a title. */
const TITLE_MAX = 80;

/** What Slack's payloads contain in place of a private conversation's name. */
const NAMELESS = new Set(['directmessage', 'privategroup', '']);

/**
 * A form filled in from a message: its text as the description, with where it is from; a short first line as the title;
 * its files as references.
 *
 * @param from.channelName as the payload names it
 * @param from.permalink undefined if Slack doesn't say
 * @param from.files those that can be attached; the others are named in the description, with their links
 */
export function draftFromMessage(
  message: SharedMessage,
  from: {
    channelName: string;
    permalink: string | undefined;
    files: { attached: AttachedFile[]; left: FileOfMessage[] };
  },
): FormDraft {
  const { channelName, permalink, files } = from;
  const left = new Set<LeftOut>();
  const { parts, isCut } = fitRichText(messageParts(message, left), COPIED);
  const isEmpty = parts.length === 0 && message.files.length === 0 && !message.isDeleted;
  if (isEmpty && left.size === 0) left.add('parts');
  const note = isCut ? [sectionOf([textElement(FROM_MESSAGE.cut, { italic: true })])] : [];
  const gap = parts.length > 0 ? [sectionOf([textElement(' ')])] : [];
  const missing = [
    ...(message.isDeleted ? [FROM_MESSAGE.deleted] : []),
    ...[...left].map((kind) => FROM_MESSAGE.left[kind]),
  ].map((words) => textElement(`\n${words}`, { italic: true }));
  const source = [
    sectionOf([...sourceOf(message, channelName, permalink), ...missing]),
    ...fileList(files.left),
  ];
  const description: RichTextBlock = {
    type: 'rich_text',
    elements: [...parts, ...note, ...gap, ...source],
  };
  const referenceFiles = files.attached.length > 0 ? files.attached : undefined;
  return { title: titleFrom(parts[0]), description, referenceFiles };
}

/** “From a message by @Ann in #general · Open the message in Slack” */
function sourceOf(
  { authorId, botName }: SharedMessage,
  channelName: string,
  permalink: string | undefined,
): (RichTextElement | undefined)[] {
  const author = authorId ? userElement(authorId) : textElement(botName);
  const name = NAMELESS.has(channelName) ? undefined : channelName;
  return [
    textElement(FROM_MESSAGE.from),
    ...(author ? [textElement(FROM_MESSAGE.by), author] : []),
    textElement(FROM_MESSAGE.inChannel(name)),
    ...(permalink ? [textElement(' · '), linkElement(permalink, FROM_MESSAGE.link)] : []),
  ];
}

/** The message's first line, if it is short and only text: without its mentions, a line makes no title. */
function titleFrom(first: RichTextPart | undefined): string | undefined {
  if (first?.type !== 'rich_text_section') return undefined;
  const texts: string[] = [];
  for (const element of first.elements) {
    if (element.type !== 'text') break;
    texts.push(element.text);
    if (element.text.includes('\n')) break;
  }
  const isWhole = texts.length === first.elements.length || texts.at(-1)?.includes('\n');
  const line = texts.join('').trimStart().split('\n')[0]?.trim() ?? '';
  return isWhole && !isBlank(line) && line.length <= TITLE_MAX ? line : undefined;
}

/**
 * What people see of a message, as parts of a rich text. Lazily, because apps can post far more than a form takes.
 * Texts keep their formatting and links; pictures become links. The message's text, which is for notifications if there
 * are blocks, stands in for blocks of which nothing can be read.
 *
 * @param left collects what couldn't be copied
 */
function* messageParts(
  { text, blocks, attachments }: SharedMessage,
  left: Set<LeftOut>,
): Generator<RichTextPart> {
  const seen: Seen = { text: '', links: new Set() };
  yield* noting(blockParts(blocks, left), seen);
  const isWhole = seen.text !== '' && !left.has('parts');
  const textParts = isWhole ? [] : [...formattedParts(text, 'mrkdwn')];
  if (!seen.text.includes(textParts.map(textOfPart).join(''))) yield* noting(textParts, seen);
  const isLinked = (url: string) => seen.links.has(linkTarget(url) ?? '');
  for (const one of attachments) yield* noting(attachmentParts(one, left, isLinked), seen);
}

/** What was copied so far. */
type Seen = { text: string; links: Set<string> };

function* noting(parts: Iterable<RichTextPart>, seen: Seen): Generator<RichTextPart> {
  for (const part of parts) {
    seen.text += textOfPart(part);
    for (const element of inlineOf(part)) if (element.type === 'link') seen.links.add(element.url);
    yield part;
  }
}

/** Without white space, which differs between a text and the blocks that it repeats. */
const textOfPart = (part: RichTextPart): string =>
  inlineOf(part)
    .map((element) => elementText(element, NO_NAMES))
    .join('')
    .replace(/\s/g, '');

/** The most that the list of files takes, in bytes of JSON and in elements. */
const LISTED = { bytes: 20_000, elements: 60 };

/** Files by name, each with its link, or with why it has none. */
function fileList(files: readonly FileOfMessage[]): RichTextPart[] {
  if (files.length === 0) return [];
  const elements = files.map(itemOf);
  const { parts, isCut } = fitRichText(
    [{ type: 'rich_text_list', style: 'bullet', elements }],
    LISTED,
  );
  return [
    sectionOf([textElement(FROM_MESSAGE.files)]),
    ...parts,
    ...(isCut ? [sectionOf([textElement(FROM_MESSAGE.moreFiles, { italic: true })])] : []),
  ];
}

function itemOf({ name, link, problem }: FileOfMessage): RichTextSection {
  const isGone = problem === 'deleted' || problem === 'hidden';
  if (link !== undefined && !isGone) return sectionOf([linkElement(link, name)]);
  return sectionOf([textElement(wordsForLeftFile(problem, name))]);
}
