import type { RichTextElement } from '@slack/types';
import { z } from 'zod';
import { LIST_INDENT_MAX } from '../text/limits.ts';
import type { RichTextPart } from '../text/rich-text-fit.ts';
import { mrkdwnToElements } from './mrkdwn-to-rich-text.ts';
import { linkElement, safeElements, sectionOf, textElement } from './safe-elements.ts';
import type { SharedMessage } from './shared-message.ts';

const list = z.array(z.unknown()).catch([]);
const words = z.string().catch('');
/** A text object, or a plain string. */
const textObject = z
  .union([
    z.object({ type: words, text: words }),
    z.string().transform((text) => ({ type: '', text })),
  ])
  .optional()
  .catch(undefined);

const block = z.looseObject({
  type: words,
  text: textObject,
  title: textObject,
  elements: list,
  fields: list,
  rows: list,
  alt_text: words,
  title_url: words,
});

const part = z.object({
  type: words,
  elements: list,
  style: z.enum(['bullet', 'ordered']).catch('bullet'),
  indent: z.int().min(0).max(LIST_INDENT_MAX).optional().catch(undefined),
  border: z
    .union([z.literal(0), z.literal(1)])
    .optional()
    .catch(undefined),
});
const container = z.object({ elements: list });

const attachment = z.object({
  blocks: list,
  pretext: words,
  author_name: words,
  title: words,
  title_link: words,
  text: words,
  fields: z.array(z.object({ title: words, value: words })).catch([]),
  fallback: words,
});

/**
 * What people see of a message, as parts of a rich text. Lazily, because apps can post far more than a form takes.
 * Texts keep their formatting and links; pictures become their alternative texts; buttons and menus are left out.
 */
export function* messageParts({
  text,
  blocks,
  attachments,
}: SharedMessage): Generator<RichTextPart> {
  // The text repeats the blocks, for notifications.
  if (blocks.length > 0) yield* partsOfBlocks(blocks);
  else yield* paragraph(mrkdwnToElements(text));
  for (const one of attachments) yield* partsOfAttachment(one);
}

function* partsOfBlocks(blocks: readonly unknown[]): Generator<RichTextPart> {
  for (const posted of blocks) {
    const { data } = block.safeParse(posted);
    if (data) yield* partsOfBlock(data);
  }
}

function* partsOfBlock(shown: z.infer<typeof block>): Generator<RichTextPart> {
  switch (shown.type) {
    case 'rich_text':
      for (const one of shown.elements) yield* safePart(one);
      return;
    case 'section':
      yield* textOf(shown.text);
      for (const field of shown.fields) yield* textOf(textObject.parse(field));
      return;
    case 'header':
      yield* paragraph([textElement(shown.text?.text ?? '', { bold: true })]);
      return;
    case 'context':
      for (const element of shown.elements) {
        const { data } = textObject.safeParse(element);
        yield* textOf(data);
      }
      return;
    case 'markdown':
      yield* paragraph([textElement(shown.text?.text ?? '')]);
      return;
    case 'image':
      yield* paragraph([textElement(shown.title?.text || shown.alt_text)]);
      return;
    case 'video':
      yield* paragraph([linkElement(shown.title_url, shown.title?.text)]);
      return;
    case 'table':
      for (const row of shown.rows) yield* paragraph(rowOf(row));
      return;
  }
}

function* textOf(shown: z.infer<typeof textObject>): Generator<RichTextPart> {
  if (!shown) return;
  const isPlain = shown.type === 'plain_text';
  yield* paragraph(isPlain ? [textElement(shown.text)] : mrkdwnToElements(shown.text));
}

/** The cells of a table's row, in one line. */
function rowOf(row: unknown): (RichTextElement | undefined)[] {
  const cells = list.parse(row).map((cell): (RichTextElement | undefined)[] => {
    const { data: rich } = block.safeParse(cell);
    if (rich?.type !== 'rich_text') return [textElement(rich?.text?.text ?? '')];
    return rich.elements.flatMap((one) =>
      safeElements(container.safeParse(one).data?.elements ?? []),
    );
  });
  return cells.flatMap((cell, index) => (index === 0 ? cell : [textElement(' | '), ...cell]));
}

function* safePart(posted: unknown): Generator<RichTextPart> {
  const { data } = part.safeParse(posted);
  if (!data) return;
  const { elements, style, indent, border } = data;
  const edge = border === undefined ? {} : { border };
  switch (data.type) {
    case 'rich_text_section':
      yield* paragraph(safeElements(elements));
      return;
    case 'rich_text_quote':
      yield { type: 'rich_text_quote', elements: safeElements(elements), ...edge };
      return;
    case 'rich_text_preformatted': {
      const isCode = (one: RichTextElement) => one.type === 'text' || one.type === 'link';
      yield {
        type: 'rich_text_preformatted',
        elements: safeElements(elements).filter(isCode),
        ...edge,
      };
      return;
    }
    case 'rich_text_list': {
      const items = elements.map((item) =>
        sectionOf(safeElements(container.safeParse(item).data?.elements ?? [])),
      );
      const level = indent === undefined ? {} : { indent };
      yield { type: 'rich_text_list', style, elements: items, ...level, ...edge };
      return;
    }
  }
}

function* partsOfAttachment(posted: unknown): Generator<RichTextPart> {
  const { data } = attachment.safeParse(posted);
  if (!data) return;
  const { blocks, pretext, author_name, title, title_link, text, fields, fallback } = data;
  if (blocks.length > 0) return yield* partsOfBlocks(blocks);
  const lines = [
    mrkdwnToElements(pretext),
    [textElement(author_name)],
    title_link ? [linkElement(title_link, title)] : [textElement(title, { bold: true })],
    mrkdwnToElements(text),
    ...fields.map((one) => [textElement(`${one.title}: `), ...mrkdwnToElements(one.value)]),
  ].filter((line) => line.some((one) => one !== undefined));
  if (lines.length === 0) yield* paragraph([textElement(fallback)]);
  for (const line of lines) yield* paragraph(line);
}

function* paragraph(elements: readonly (RichTextElement | undefined)[]): Generator<RichTextPart> {
  const section = sectionOf(elements);
  if (section.elements.length > 0) yield section;
}
