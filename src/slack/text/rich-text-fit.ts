import type { RichTextBlock, RichTextElement, RichTextText } from '@slack/types';
import {
  graphemePrefix,
  RICH_TEXT_BYTES_MAX,
  RICH_TEXT_ELEMENTS_MAX,
  RICH_TEXT_RUN_MAX,
} from './limits.ts';

export type RichTextPart = RichTextBlock['elements'][number];

/** Bytes of JSON around the elements of a section, item, or list, rounded up. */
const ENVELOPE_BYTES = 80;
/** Maximum bytes of JSON per UTF-16 unit of well-formed text. */
const BYTES_PER_UNIT = 3;

type Budget = { bytes: number; elements: number; spent: boolean };

/** As much as one block takes. */
const WHOLE_BLOCK = { bytes: RICH_TEXT_BYTES_MAX, elements: RICH_TEXT_ELEMENTS_MAX };

/**
 * Fits parts into a block. If cut, the last text ends with '…'. Empty parts and texts are dropped,
 * because Slack rejects them.
 *
 * @returns the parts that fit, and whether anything was cut
 */
export function fitRichText(
  parts: Iterable<RichTextPart>,
  { bytes, elements } = WHOLE_BLOCK,
): { parts: RichTextPart[]; isCut: boolean } {
  // One element is reserved for the '…'.
  const budget = { bytes, elements: elements - 1, spent: false };
  const fitting: RichTextPart[] = [];
  for (const part of parts) {
    const fitted = fitPart(part, budget);
    if (fitted) fitting.push(fitted);
    if (budget.spent) break;
  }
  return { parts: fitting, isCut: budget.spent };
}

function fitPart(part: RichTextPart, budget: Budget): RichTextPart | undefined {
  if (part.type !== 'rich_text_list') {
    const elements = fitElements<RichTextElement>(part.elements, budget);
    return elements.length > 0 ? ({ ...part, elements } as RichTextPart) : undefined;
  }
  const items: typeof part.elements = [];
  for (const item of part.elements) {
    const elements = fitElements(item.elements, budget);
    if (elements.length > 0) items.push({ ...item, elements });
    if (budget.spent) break;
  }
  return items.length > 0 ? { ...part, elements: items } : undefined;
}

function fitElements<Element extends RichTextElement>(elements: Element[], budget: Budget) {
  const fitting: (Element | RichTextText)[] = [];
  if (elements.length > 0) budget.bytes -= ENVELOPE_BYTES;
  for (const element of elements.flatMap(splitLongText)) {
    const bytes = Buffer.byteLength(JSON.stringify(element)) + 1;
    if (bytes <= budget.bytes && budget.elements > 0) {
      fitting.push(element);
      budget.bytes -= bytes;
      budget.elements -= 1;
      continue;
    }
    budget.spent = true;
    const text = element.type === 'text' ? element.text : '';
    const room = Math.floor((budget.bytes - ENVELOPE_BYTES) / BYTES_PER_UNIT);
    fitting.push({ type: 'text', text: `${graphemePrefix(text, Math.max(room, 0))}…` });
    break;
  }
  return fitting;
}

/** A link with a long text becomes several to the same address. */
function splitLongText<Element extends RichTextElement>(element: Element): Element[] {
  const isText = element.type === 'text' || (element.type === 'link' && Boolean(element.text));
  if (!isText) return [element];
  const pieces: Element[] = [];
  let rest = element.text ?? '';
  while (rest !== '') {
    const piece = graphemePrefix(rest, RICH_TEXT_RUN_MAX) || rest.slice(0, RICH_TEXT_RUN_MAX);
    pieces.push({ ...element, text: piece.toWellFormed() });
    rest = rest.slice(piece.length);
  }
  return pieces;
}
