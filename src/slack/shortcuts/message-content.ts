import type { RichTextElement, RichTextList } from '@slack/types';
import type { FileProblem } from '../request-form/slack-files.ts';
import { utcMinute } from '../text/blocks.ts';
import { linkTarget, unescapeEntities } from '../text/escape.ts';
import { LIST_INDENT_MAX } from '../text/limits.ts';
import { elementsIn, elementText, type RichTextPart } from '../text/rich-text-to-html.ts';
import { FROM_MESSAGE } from '../words/shortcuts.ts';
import {
  asCode,
  ELEMENTS,
  isPosted,
  linkElement,
  mrkdwnElements,
  mrkdwnParts,
  type Posted,
  sectionOf,
  stringOf,
  styleOf,
  textElement,
  wholeNumber,
} from './elements.ts';

/** A file of a message, as far as it is known. Slack omits nearly everything if the app may not see it. */
export type FileOfMessage = {
  id: string | undefined;
  name: string | undefined;
  link: string | undefined;
  problem?: FileProblem | 'hidden' | undefined;
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The text of a text object, or a plain string; '' if it is neither. */
const textOf = (value: unknown): string =>
  isPosted(value) ? stringOf(value.text) : stringOf(value);

const firstOf = (posted: Posted, names: readonly string[]): string =>
  names.map((name) => textOf(posted[name])).find((text) => text !== '') ?? '';

/** Deepest nesting that is read. Slack's own blocks nest five deep. */
const DEPTH_MAX = 16;
/** The types of buttons, menus, and input fields: nobody can use them in a form. */
const CONTROL = /(?:buttons?|select|picker|overflow|checkboxes|menu|_input)$/;
const MAY_BE_EMPTY =
  /^(?:divider|(?:plain|raw|rich)_text|rich_text_(?:section|list|quote|preformatted))$/;
/** Properties that people don't see: identifiers and styles. */
const NOT_SHOWN =
  /^(?:type|ids?|ts|token|hash|style|color|level|width|align|verbatim|emoji|locale|team|channel|confirm|files?|slack_file|metadata)$|_(?:ids?|ts|type|token|style|mode|hash|metadata)$|icon|avatar|thumb/;
/** Pictures are seen, whatever they are called, and what apps call a choice is its text. */
const isHidden = (name: string, value: unknown, around: Posted): boolean =>
  (NOT_SHOWN.test(name) && !(isPosted(value) && value.type === 'image')) ||
  (name === 'value' && 'text' in around);
const WEB_ADDRESS = /^https?:\/\/\S+$/i;
const ADDRESSES = 'url link href title_url title_link image_url video_url'.split(' ');
const LABELS = 'text title label name alt_text fallback'.split(' ');

type Parts = Generator<RichTextPart>;

/** Reads what people see of a message, as parts of a rich text. */
export class MessageReader {
  readonly files: FileOfMessage[] = [];
  /** Whether there was something of which nothing could be read. */
  isPartial = false;
  /** How many buttons and menus there were that lead nowhere. */
  controls = 0;
  /** What was read so far, without white space, which differs between a text and the blocks that it repeats. */
  #seen = '';
  readonly #links = new Set<string>();

  /** Lazily, because apps can post far more than a form takes. */
  *read(message: Posted): Parts {
    for (const part of this.#content(message, 0)) {
      const elements = elementsIn(part);
      if (elements.length === 0) continue;
      this.#seen += seenOf(part);
      for (const element of elements) if (element.type === 'link') this.#links.add(element.url);
      yield part;
    }
  }

  /** With blocks, the text is for notifications, and stands in for blocks of which nothing can be read. */
  *#content({ blocks, text, files, file, attachments }: Posted, depth: number): Parts {
    // Messages of earlier years have a single `file`.
    this.files.push(...[...listOf(files), ...[files, file].filter(isPosted)].map(fileOf));
    const before = this.#seen;
    for (const block of listOf(blocks)) {
      if (isPosted(block)) yield* this.#object(block, 0);
      else this.isPartial = true;
    }
    if (this.#seen === before || this.isPartial) {
      const parts = [...mrkdwnParts(textOf(text))];
      if (!this.#seen.includes(parts.map(seenOf).join(''))) yield* parts;
    }
    for (const one of listOf(attachments)) yield* this.#attachment(one, depth + 1);
  }

  /** How much was found that isn't text. */
  get #others(): number {
    return this.files.length + this.controls;
  }

  /** A link, unless there is one to the same address already. */
  #newLink(url: unknown, label?: string): RichTextPart {
    const isLinked = this.#links.has(linkTarget(stringOf(url)) ?? '');
    return namePart('', isLinked ? '' : url, label);
  }

  /** What an app attached, a forwarded message, or a link's preview. */
  *#attachment(posted: unknown, depth: number): Parts {
    if (!isPosted(posted) || depth > DEPTH_MAX) {
      this.isPartial = true;
      return;
    }
    const [before, others] = [this.#seen, this.#others];
    const { is_share, is_msg_unfurl, title_link, author_link, service_url, ts } = posted;
    yield* mrkdwnParts(stringOf(posted.pretext));
    yield namePart(posted.service_name, service_url);
    yield namePart(posted.author_name, author_link);
    yield namePart(posted.author_subname, '');
    yield namePart(posted.title, title_link);
    yield* this.#body(posted, depth);
    for (const field of listOf(posted.fields).filter(isPosted)) yield fieldPart(field);
    yield this.#newLink(posted.image_url, FROM_MESSAGE.picture);
    yield this.#newLink(posted.thumb_url, FROM_MESSAGE.picture);
    yield this.#newLink(posted.video_url);
    for (const action of listOf(posted.actions)) yield* this.#value(action, depth);
    yield* mrkdwnParts(textOf(posted.footer));
    const seconds = Number(typeof ts === 'number' ? ts : stringOf(ts));
    if (seconds > 0) yield sectionOf([textElement(utcMinute(seconds))]);
    if (this.#seen === before) yield* mrkdwnParts(stringOf(posted.fallback));
    const isMessage = is_share === true || is_msg_unfurl === true;
    const page = firstOf(posted, ['from_url', 'original_url']);
    yield this.#newLink(page, isMessage ? FROM_MESSAGE.original : '');
    if (this.#seen === before && this.#others === others) this.isPartial = true;
  }

  /** The messages forwarded in an attachment, or else its own text. */
  *#body(posted: Posted, depth: number): Parts {
    const before = this.#seen;
    for (const { message, ...rest } of listOf(posted.message_blocks).filter(isPosted)) {
      yield* this.#content(isPosted(message) ? message : rest, depth);
    }
    const isRead = this.#seen !== before && !this.isPartial;
    yield* this.#content(isRead ? { ...posted, text: '' } : posted, depth);
  }

  *#value(value: unknown, depth: number): Parts {
    if (depth > DEPTH_MAX) this.isPartial = true;
    else if (Array.isArray(value)) for (const one of value) yield* this.#value(one, depth + 1);
    else if (isPosted(value)) yield* this.#object(value, depth);
    else if (typeof value === 'string' && WEB_ADDRESS.test(value)) yield namePart('', value);
    else if (typeof value === 'string') yield* mrkdwnParts(value);
  }

  *#object(posted: Posted, depth: number): Parts {
    const others = this.#others;
    let isRead = false;
    for (const part of this.#inside(posted, depth)) {
      isRead ||= elementsIn(part).length > 0;
      yield part;
    }
    // Objects without a type are parts of others, and may say nothing.
    const isSilent = depth > 0 && typeof posted.type !== 'string';
    if (isRead || this.#others > others || isSilent || MAY_BE_EMPTY.test(stringOf(posted.type)))
      return;
    this.isPartial = true;
  }

  /** Everything that people may see of an object, in the order of its properties. */
  *#inside(posted: Posted, depth: number): Parts {
    const type = stringOf(posted.type);
    const part = this.#richTextPart(posted, depth);
    if (part) yield part;
    else if (ELEMENTS.has(type)) yield sectionOf(this.#element(posted, depth));
    else if (CONTROL.test(type)) yield* this.#control(posted, depth);
    else if (type === 'markdown') yield sectionOf([textElement(textOf(posted.text))]);
    else {
      const stored = [posted.slack_file, posted.file].find(isPosted) ?? {};
      const url = firstOf(posted, ADDRESSES) || stringOf(stored.url);
      const label = firstOf(posted, LABELS);
      const isLink = url !== '' && label !== '';
      if (isLink) yield namePart(label, url);
      else if (stored.id) this.files.push(fileOf(stored));
      const isShown = (value: unknown) => isLink && (value === url || textOf(value) === label);
      if (type !== 'file') yield* this.#properties(posted, depth, isShown);
    }
  }

  /** A control's links, or else the choices that it shows. */
  *#control({ type, text, url, ...rest }: Posted, depth: number): Parts {
    const options = listOf(rest.options).filter(isPosted);
    const linked = [{ text, url }, ...options].filter((one) => stringOf(one.url) !== '');
    for (const one of linked) yield namePart(one.text, one.url);
    if (linked.length > 0) return;
    this.controls += 1;
    const isList = type === 'checkboxes' || type === 'radio_buttons';
    yield* this.#value(isList ? options : [rest.initial_option, rest.initial_options], depth + 1);
  }

  *#properties(posted: Posted, depth: number, isShown: (value: unknown) => boolean): Parts {
    for (const [name, value] of Object.entries(posted)) {
      if (isHidden(name, value, posted) || isShown(value)) continue;
      if (name === 'rows') for (const row of listOf(value)) yield this.#row(row, depth + 1);
      else if (name === 'value' && typeof value === 'number') yield* mrkdwnParts(`${value}`);
      else yield* this.#value(value, depth + 1);
    }
  }

  #row(row: unknown, depth: number): RichTextPart {
    const cells = listOf(row).map((cell) => this.#inline(cell, depth));
    return sectionOf(
      cells.flatMap((cell, index) => (index === 0 ? cell : [textElement(' | '), ...cell])),
    );
  }

  #inline = (posted: unknown, depth: number): RichTextElement[] =>
    [...this.#value(posted, depth)].flatMap(elementsIn);

  /** A part of a posted rich text, with only what Slack accepts in a form's field. */
  #richTextPart(posted: Posted, depth: number): RichTextPart | undefined {
    const { type, style, indent, offset } = posted;
    const elements = listOf(posted.elements);
    const read = (some: readonly unknown[]) => some.flatMap((one) => this.#element(one, depth + 1));
    switch (type) {
      case 'rich_text_section':
        return sectionOf(read(elements));
      case 'rich_text_quote':
        return { type, elements: read(elements) };
      case 'rich_text_preformatted':
        return { type, elements: asCode(read(elements)) };
      case 'rich_text_list': {
        const items = elements.map((item) =>
          sectionOf(read(isPosted(item) && Array.isArray(item.elements) ? item.elements : [item])),
        );
        return {
          type,
          style: style === 'ordered' ? 'ordered' : 'bullet',
          elements: items.filter((item) => item.elements.length > 0),
          ...wholeNumber('indent', indent, LIST_INDENT_MAX),
          ...wholeNumber('offset', offset, Number.MAX_SAFE_INTEGER),
        } satisfies RichTextList;
      }
      default:
        return undefined;
    }
  }

  #element(posted: unknown, depth: number): RichTextElement[] {
    const read = isPosted(posted) && ELEMENTS.get(posted.type);
    if (read) {
      const element = read(posted);
      return element ? [{ ...element, ...styleOf(posted) }] : [];
    }
    const elements = this.#inline(posted, depth);
    if (elements.length === 0) this.isPartial = true;
    return elements;
  }
}

function namePart(name: unknown, link: unknown, label = ''): RichTextPart {
  const [text, url] = [textOf(name), stringOf(link)];
  return sectionOf(
    url ? [linkElement(url, unescapeEntities(text) || label)] : mrkdwnElements(text),
  );
}

function fieldPart({ title, value }: Posted): RichTextPart {
  const [name, content] = [mrkdwnElements(textOf(title)), mrkdwnElements(textOf(value))];
  return sectionOf(name.length > 0 ? [...name, textElement(': '), ...content] : content);
}

const PROBLEMS = new Map<string, FileOfMessage['problem']>([
  ['tombstone', 'deleted'],
  ['hidden_by_limit', 'hidden'],
]);

function fileOf(posted: unknown): FileOfMessage {
  const given = isPosted(posted) ? posted : {};
  const known = (...names: string[]) => firstOf(given, names) || undefined;
  return {
    id: known('id'),
    name: known('name', 'title'),
    link: known('permalink', 'external_url', 'url_private'),
    problem: PROBLEMS.get(stringOf(given.mode)),
  };
}

const seenOf = (part: RichTextPart): string =>
  elementsIn(part)
    .map((element) => elementText(element))
    .join('')
    .replace(/\s/g, '');
