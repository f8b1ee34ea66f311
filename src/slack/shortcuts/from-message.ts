import type { MessageShortcut } from '@slack/bolt';
import type { RichTextElement } from '@slack/types';
import type { Log } from '../../ops/logging.ts';
import type { AttachedFile, FormDraft } from '../../requests/request.ts';
import type { SlackClient } from '../client/slack-client.ts';
import { inTime, type Shortcut } from '../interaction/interactions.ts';
import type { ModalToOpen } from '../interaction/open-modal.ts';
import { type FormLists, MAX_FILES } from '../request-form/form-field.ts';
import type { FormModals } from '../request-form/form-modals.ts';
import { askForFile } from '../request-form/slack-files.ts';
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

/** Without an answer in time, it isn't attached. */
type AskedFile = FileOfMessage & { isUsable?: boolean };

/** The callback IDs in `manifest.yml`: in the menu of a message; in the composer and in Slack's search. */
export const SHORTCUTS = {
  fromMessage: 'create-design-request',
  requestDesign: 'request-a-design',
} as const;

/** Only Slack knows a message's link, and which files the app may read, so the form opens loading while it is asked. */
export function createFormFromMessage(deps: {
  formModals: FormModals;
  fileLimits: FormLists['files'];
  now: () => Date;
  log: Log;
}) {
  const { formModals, fileLimits, now, log } = deps;

  /** Undefined if the app isn't in a private conversation, or the message is gone. */
  const permalinkOf = (client: SlackClient, { channel, message_ts }: MessageShortcut) =>
    client.chat.getPermalink({ channel: channel.id, message_ts }).then(
      ({ permalink }) => permalink,
      (error) => void log.info({ err: error }, 'could not get the link of a message'),
    );

  /**
   * Asks Slack about each of the first MAX_FILES: the app doesn't see the files of a conversation that it isn't in, and
   * Slack names those in a channel shared with another company only when asked.
   */
  async function sortFiles(client: SlackClient, files: readonly FileOfMessage[]) {
    const asked = files.slice(0, MAX_FILES).map((file) => {
      const answer = ask(client, file).catch(() => file);
      return inTime<AskedFile>(answer, file);
    });
    const attached: AttachedFile[] = [];
    const left: FileOfMessage[] = [];
    for (const { isUsable, ...file } of await Promise.all(asked)) {
      const { id, name = id } = file;
      if (isUsable && id !== undefined) attached.push({ id, name: name ?? id });
      else left.push(file);
    }
    return { attached, left: [...left, ...files.slice(MAX_FILES)] };
  }

  async function ask(client: SlackClient, given: FileOfMessage): Promise<AskedFile> {
    const { id, problem } = given;
    if (id === undefined || problem !== undefined) return given;
    const maxBytes = fileLimits?.maxBytes ?? 0;
    const { name, link, file } = await askForFile(client, id, { maxBytes, now });
    return {
      id,
      name: given.name ?? name,
      link: given.link ?? link,
      problem: typeof file === 'string' ? file : undefined,
      isUsable: fileLimits !== undefined && (typeof file === 'object' || file === 'uploading'),
    };
  }

  return ({ client, channelId, onMessage }: Shortcut): ModalToOpen => {
    const newForm = formModals.ofNew({ channelId });
    if (!onMessage) return newForm;
    return {
      ...newForm,
      async fill(user, modal) {
        await modal.load();
        const message = readSharedMessage(onMessage.message);
        const [permalink, files] = await Promise.all([
          inTime(permalinkOf(client, onMessage), undefined),
          sortFiles(client, message.files),
        ]);
        const from = { channelName: onMessage.channel.name, permalink, files };
        const draft = draftFromMessage(message, from);
        await formModals.ofNew({ channelId, draft }).fill(user, modal);
      },
    };
  };
}

/**
 * How much of a message, and of the list of its files, is copied: in characters of text and of
 * addresses, plus ELEMENT_COST each. More than people can type, and far below VIEW_BYTES_MAX.
 */
const COPIED_MAX = 20_000;
const LISTED_MAX = 5_000;
const ELEMENT_COST = 40;
/** In characters. A longer first line is a paragraph rather than a title. */
const TITLE_MAX = 80;

/** Anything may be missing in a message, and apps send whatever they like. Never throws. */
export function readSharedMessage(payload: unknown) {
  const given: Posted = isPosted(payload) ? payload : {};
  // What Slack leaves of a deleted message that has replies: nothing of it is read.
  const isDeleted = given.subtype === 'tombstone';
  const posted = isDeleted ? {} : given;
  const reader = new MessageReader();
  const { parts, isCut } = fitParts(reader.read(posted), COPIED_MAX);
  const files = reader.files.filter(
    ({ id }, index, all) => !id || all.findIndex((other) => other.id === id) === index,
  );
  const hasControls = reader.controls > 0;
  const isEmpty = parts.length === 0 && files.length === 0 && !hasControls && !isDeleted;
  return {
    title: titleFrom(parts[0]),
    parts,
    files,
    author: authorOf(posted),
    cut: isCut ? [noteOf(FROM_MESSAGE.cut)] : [],
    /** What isn't in the parts, and why. */
    missing: [
      ...(isDeleted ? [noteOf(FROM_MESSAGE.deleted)] : []),
      ...(hasControls ? [noteOf(FROM_MESSAGE.controls)] : []),
      ...(reader.isPartial || isEmpty ? [noteOf(FROM_MESSAGE.partial)] : []),
    ],
  };
}

function authorOf({ user, username, bot_profile: bot }: Posted): RichTextElement | undefined {
  const botName = stringOf(username) || (isPosted(bot) ? stringOf(bot.name) : '');
  return textElement(botName) ?? (stringOf(user) ? userElement(stringOf(user)) : undefined);
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

const lengthOf = (element: RichTextElement): number =>
  ('url' in element ? element.url.length : 0) + ('text' in element ? element.text.length : 0);

/** What Slack's payloads contain in place of a private conversation's name. */
const NAMELESS = new Set(['directmessage', 'privategroup', '']);

/** Files that can't be attached are named in the description, with their links. */
export function draftFromMessage(
  { title, parts, author, cut, missing }: ReturnType<typeof readSharedMessage>,
  from: {
    channelName: string;
    permalink: string | undefined;
    files: { attached: AttachedFile[]; left: FileOfMessage[] };
  },
): FormDraft {
  const { channelName, permalink, files } = from;
  const gap = parts.length > 0 ? [sectionOf([textElement(' ')])] : [];
  // “From a message by @Ann in #general · Open the message in Slack”
  const source = sectionOf([
    textElement(FROM_MESSAGE.from),
    ...(author ? [textElement(FROM_MESSAGE.by), author] : []),
    textElement(FROM_MESSAGE.inChannel(NAMELESS.has(channelName) ? undefined : channelName)),
    ...(permalink ? [textElement(' · '), linkElement(permalink, FROM_MESSAGE.link)] : []),
  ]);
  return {
    title,
    description: {
      type: 'rich_text',
      elements: [...parts, ...cut, ...gap, source, ...missing, ...fileList(files.left)],
    },
    referenceFiles: files.attached.length > 0 ? files.attached : undefined,
  };
}

const noteOf = (words: string) => sectionOf([textElement(words, { italic: true })]);

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
  const elements = files.map(({ name, link, problem }) => {
    const isGone = problem === 'deleted' || problem === 'hidden';
    const isLinked = link !== undefined && !isGone;
    const words = wordsForLeftFile(problem, name);
    return sectionOf([isLinked ? linkElement(link, name) : textElement(words)]);
  });
  const list: RichTextPart = { type: 'rich_text_list', style: 'bullet', elements };
  const { parts, isCut } = fitParts([list], LISTED_MAX);
  const note = isCut ? [noteOf(FROM_MESSAGE.moreFiles)] : [];
  return [sectionOf([textElement(FROM_MESSAGE.files)]), ...parts, ...note];
}
