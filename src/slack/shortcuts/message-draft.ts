import type { RichTextElement, RichTextSection } from '@slack/types';
import type { AttachedFile, FormDraft } from '../../requests/request.ts';
import { clip, isBlank, RICH_TEXT_RUN_MAX } from '../text/limits.ts';
import type { RichTextPart } from '../text/rich-text-to-html.ts';
import { FROM_MESSAGE, wordsForLeftFile } from '../words/shortcuts.ts';
import {
  isPosted,
  linkElement,
  type Posted,
  sectionOf,
  stringOf,
  textElement,
  userElement,
} from './elements.ts';
import { type FileOfMessage, MessageReader } from './message-content.ts';

/**
 * How much of a message, and of the list of its files, is copied: in characters of text and of
 * addresses, plus ELEMENT_COST each. More than people can type, and far below VIEW_BYTES_MAX.
 */
const COPIED_MAX = 20_000;
const LISTED_MAX = 5_000;
const ELEMENT_COST = 40;
/** In characters. A longer first line is a paragraph rather than a title. */
const TITLE_MAX = 80;

type SharedMessage = ReturnType<typeof readSharedMessage>;

/** Anything may be missing in a message, and apps send whatever they like. Never throws. */
export function readSharedMessage(payload: unknown) {
  const given: Posted = isPosted(payload) ? payload : {};
  // What Slack leaves of a deleted message that has replies: nothing of it is read.
  const isDeleted = given.subtype === 'tombstone';
  const posted = isDeleted ? {} : given;
  const { user, username, bot_profile } = posted;
  const reader = new MessageReader();
  const { parts, isCut } = fitParts(reader.read(posted), COPIED_MAX);
  const files = reader.files.filter(
    ({ id }, index, all) => !id || all.findIndex((other) => other.id === id) === index,
  );
  const hasControls = reader.controls > 0;
  const isEmpty = parts.length === 0 && files.length === 0 && !hasControls && !isDeleted;
  return {
    authorId: stringOf(user),
    botName: stringOf(username) || (isPosted(bot_profile) ? stringOf(bot_profile.name) : ''),
    ...{ parts, files, isDeleted, isCut, hasControls, isPartial: reader.isPartial || isEmpty },
  };
}

/** As many parts as fit, the last text cut, without empty ones, which Slack refuses. */
function fitParts(parts: Iterable<RichTextPart>, max: number) {
  const fitting: RichTextPart[] = [];
  let room = max;
  function take<Element extends RichTextElement>(elements: Element[]): Element[] {
    const taken: Element[] = [];
    for (const element of elements) {
      const most = Math.min(room - ELEMENT_COST, RICH_TEXT_RUN_MAX);
      const length = lengthOf(element);
      room = length <= most ? room - ELEMENT_COST - length : -1;
      if (room >= 0) taken.push(element);
      else if (element.type === 'text' && most > 0) {
        taken.push({ ...element, text: clip(element.text, most) });
      }
    }
    return taken;
  }
  for (const part of parts) {
    if (part.type === 'rich_text_list') {
      const items = part.elements.map((item) => ({ ...item, elements: take(item.elements) }));
      const elements = items.filter((item) => item.elements.length > 0);
      if (elements.length > 0) fitting.push({ ...part, elements });
    } else {
      const elements = take<RichTextElement>(part.elements);
      if (elements.length > 0) fitting.push({ ...part, elements } as RichTextPart);
    }
    if (room < 0) break;
  }
  return { parts: fitting, isCut: room < 0 };
}

function lengthOf(element: RichTextElement): number {
  if (element.type === 'link') return element.url.length + (element.text?.length ?? 0);
  return element.type === 'text' ? element.text.length : 0;
}

/** What Slack's payloads contain in place of a private conversation's name. */
const NAMELESS = new Set(['directmessage', 'privategroup', '']);

/**
 * A form filled in from a message: its text as the description, with where it is from; a short first line as the title;
 * its files as references. Files that can't be attached are named in the description, with their links.
 */
export function draftFromMessage(
  message: SharedMessage,
  from: {
    channelName: string;
    permalink: string | undefined;
    files: { attached: AttachedFile[]; left: FileOfMessage[] };
  },
): FormDraft {
  const { parts, isCut, isDeleted, hasControls, isPartial } = message;
  const { channelName, permalink, files } = from;
  const note = isCut ? [noteOf(FROM_MESSAGE.cut)] : [];
  const gap = parts.length > 0 ? [sectionOf([textElement(' ')])] : [];
  const source = sectionOf(sourceOf(message, channelName, permalink));
  const missing = [
    ...(isDeleted ? [noteOf(FROM_MESSAGE.deleted)] : []),
    ...(hasControls ? [noteOf(FROM_MESSAGE.controls)] : []),
    ...(isPartial ? [noteOf(FROM_MESSAGE.partial)] : []),
  ];
  return {
    title: titleFrom(parts[0]),
    description: {
      type: 'rich_text',
      elements: [...parts, ...note, ...gap, source, ...missing, ...fileList(files.left)],
    },
    referenceFiles: files.attached.length > 0 ? files.attached : undefined,
  };
}

const noteOf = (words: string) => sectionOf([textElement(words, { italic: true })]);

/** “From a message by @Ann in #general · Open the message in Slack” */
function sourceOf(
  { authorId, botName }: SharedMessage,
  channelName: string,
  permalink: string | undefined,
): (RichTextElement | undefined)[] {
  const author = botName ? textElement(botName) : authorId ? userElement(authorId) : undefined;
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
  const other = first.elements.findIndex(({ type }) => type !== 'text');
  const start = other === -1 ? first.elements : first.elements.slice(0, other);
  const text = start.map((element) => (element.type === 'text' ? element.text : '')).join('');
  const [line = '', ...more] = text.trimStart().split('\n');
  const isWhole = other === -1 || more.length > 0;
  return isWhole && !isBlank(line) && line.length <= TITLE_MAX ? line.trim() : undefined;
}

/** Files by name, each with its link, or with why it has none. */
function fileList(files: readonly FileOfMessage[]): RichTextPart[] {
  if (files.length === 0) return [];
  const list: RichTextPart = {
    type: 'rich_text_list',
    style: 'bullet',
    elements: files.map(itemOf),
  };
  const { parts, isCut } = fitParts([list], LISTED_MAX);
  const note = isCut ? [noteOf(FROM_MESSAGE.moreFiles)] : [];
  return [sectionOf([textElement(FROM_MESSAGE.files)]), ...parts, ...note];
}

function itemOf({ name, link, problem }: FileOfMessage): RichTextSection {
  const isGone = problem === 'deleted' || problem === 'hidden';
  if (link !== undefined && !isGone) return sectionOf([linkElement(link, name)]);
  return sectionOf([textElement(wordsForLeftFile(problem, name))]);
}
