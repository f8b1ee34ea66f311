import type { RichTextBlock, RichTextElement, RichTextLink, RichTextList } from '@slack/types';
import { imageText } from './html-lines.ts';
import { type InlineNode, parseHtml, type RichNode, type TextStyles } from './html-tree.ts';
import {
  clip,
  isBlank,
  LIST_INDENT_MAX,
  RICH_TEXT_BYTES_MAX,
  RICH_TEXT_ELEMENTS_MAX,
  RICH_TEXT_RUN_MAX,
} from './limits.ts';
import { honestLabel } from './link-target.ts';
import { fitRichText, type RichTextPart } from './rich-text-fit.ts';

type ListNode = Extract<RichNode, { type: 'list' }>;
/** `border: 1` draws a quote's line beside a list or preformatted text. */
type Border = { border?: 1 };

const STYLE_NAMES = ['bold', 'italic', 'strike', 'code', 'underline'] as const;
const BOLD: TextStyles = { bold: true };
const CODE: TextStyles = { code: true };

/**
 * HTML as a rich text block: an initial value for a rich_text_input, or part of a message (Slack refuses
 * rich_text in unfurls). Only texts and http, https and mailto links, so it mentions nobody; a link's label
 * that names another host than it opens has the real one appended. At most RICH_TEXT_BYTES_MAX of JSON,
 * ending in '…' where cut. undefined where there is nothing to read.
 */
export function htmlToRichText(html: string): RichTextBlock | undefined {
  const tree = parseHtml(html, RICH_TEXT_BYTES_MAX);
  if (!tree.some(hasContent)) return undefined;
  return { type: 'rich_text', elements: fitRichText(partsOf(tree, {})) };
}

function hasContent(node: RichNode): boolean {
  if (node.type === 'list') return node.items.some((item) => item.some(hasContent));
  if (node.type === 'quote') return node.children.some(hasContent);
  if (node.type === 'preformatted') return !isBlank(node.text);
  return node.children.some((child) => {
    return child.type === 'image' || (child.type === 'text' && !isBlank(child.text));
  });
}

function* partsOf(nodes: RichNode[], border: Border): Generator<RichTextPart> {
  for (const node of nodes) {
    if (node.type === 'list') yield* partsOfList(node, 0, border);
    else if (node.type === 'quote') yield* partsOfQuote(node.children);
    else if (node.type === 'preformatted') {
      yield {
        type: 'rich_text_preformatted',
        elements: [{ type: 'text', text: node.text }],
        ...border,
      };
    } else yield { type: 'rich_text_section', elements: elementsOf([node]) };
  }
}

// A quote holds text only: its lists and preformatted texts stand by themselves, with a quote's line.
function* partsOfQuote(nodes: RichNode[]): Generator<RichTextPart> {
  let texts: RichNode[] = [];
  const quoted = (): RichTextPart[] => {
    const elements = elementsOf(texts);
    texts = [];
    return elements.length > 0 ? [{ type: 'rich_text_quote', elements }] : [];
  };
  for (const node of nodes) {
    if (node.type === 'paragraph' || node.type === 'heading') texts.push(node);
    else {
      yield* quoted();
      yield* partsOf([node], { border: 1 });
    }
  }
  yield* quoted();
}

// Slack nests lists by indentation: a list ends where a deeper one begins, and goes on after it.
function* partsOfList(list: ListNode, indent: number, border: Border): Generator<RichTextPart> {
  let items: RichTextList['elements'] = [];
  let number = list.start;
  const soFar = (): RichTextPart[] => {
    if (items.length === 0) return [];
    const offset = number - items.length - 1;
    const part = {
      type: 'rich_text_list' as const,
      style: list.ordered ? ('ordered' as const) : ('bullet' as const),
      indent: Math.min(indent, LIST_INDENT_MAX),
      elements: items,
      ...(list.ordered && offset > 0 ? { offset } : {}),
      ...border,
    };
    items = [];
    return [part];
  };
  for (const nodes of list.items) {
    const firstList = nodes.findIndex(({ type }) => type === 'list');
    const text = firstList < 0 ? nodes : nodes.slice(0, firstList);
    // An item without text has its number all the same; Slack would refuse it.
    if (text.some(hasContent))
      items.push({ type: 'rich_text_section', elements: elementsOf(text) });
    else yield* soFar();
    number += 1;
    if (items.length === RICH_TEXT_ELEMENTS_MAX) yield* soFar();
    if (firstList < 0) continue;
    yield* soFar();
    for (const node of nodes.slice(firstList)) {
      if (node.type === 'list') yield* partsOfList(node, indent + 1, border);
      else yield* partsOf([node], border);
    }
  }
  yield* soFar();
}

/** Blocks as the elements of one section, a line for each; lists with bullets and numbers as text. */
function elementsOf(nodes: RichNode[]): RichTextElement[] {
  const elements: RichTextElement[] = [];
  addBlocks(elements, nodes);
  return elements;
}

function addBlocks(elements: RichTextElement[], nodes: RichNode[]) {
  for (const [index, node] of nodes.entries()) {
    if (index > 0) addText(elements, '\n', {});
    if (node.type === 'paragraph') addInline(elements, node.children, {});
    else if (node.type === 'heading') addInline(elements, node.children, BOLD);
    else if (node.type === 'preformatted') addText(elements, node.text, CODE);
    else if (node.type === 'quote') addBlocks(elements, node.children);
    else addItems(elements, node);
  }
}

function addItems(elements: RichTextElement[], list: ListNode) {
  for (const [index, item] of list.items.entries()) {
    const marker = list.ordered ? `${list.start + index}.` : '•';
    addText(elements, `${index > 0 ? '\n' : ''}${marker} `, {});
    addBlocks(elements, item);
  }
}

function addInline(elements: RichTextElement[], children: InlineNode[], and: TextStyles) {
  let linked: RichTextLink[] = [];
  for (const child of children) {
    const link = linkOf(child, and);
    if (link === undefined || link.url !== linked.at(-1)?.url) {
      addLink(elements, linked);
      linked = [];
    }
    if (link) linked.push(link);
    else if (child.type === 'break') addText(elements, '\n', {});
    else if (child.type === 'image') addText(elements, imageText(child), and);
    else addText(elements, child.text, { ...child.styles, ...and });
  }
  addLink(elements, linked);
  // In a section as in HTML, the last line feed only ends its line.
  const last = children.at(-1);
  if (last === undefined || last.type === 'break') addText(elements, '\n', {});
}

function linkOf(node: InlineNode, and: TextStyles): RichTextLink | undefined {
  if (node.type === 'break') return undefined;
  const url = node.href ?? (node.type === 'image' && node.src !== '' ? node.src : undefined);
  if (url === undefined) return undefined;
  const text = node.type === 'image' ? imageText(node) : node.text;
  const styles = node.type === 'image' ? and : { ...node.styles, ...and };
  return { type: 'link', url, text, ...styled(styles) };
}

// The label is judged as a reader sees it: as a whole, however many pieces it comes in.
function addLink(elements: RichTextElement[], pieces: RichTextLink[]) {
  const [first] = pieces;
  if (first === undefined) return;
  const label = pieces.map(({ text = '' }) => text).join('');
  if (isBlank(label)) return addText(elements, label, {});
  const honest = clip(honestLabel(first.url, label), RICH_TEXT_RUN_MAX);
  if (honest !== label) elements.push({ ...first, text: honest });
  else for (const piece of pieces) elements.push(piece);
}

function addText(elements: RichTextElement[], text: string, styles: TextStyles) {
  if (text === '') return;
  const style = styled(styles);
  const last = elements.at(-1);
  if (last?.type === 'text' && isSameStyle(last.style, style.style)) last.text += text;
  else elements.push({ type: 'text', text, ...style });
}

function isSameStyle(one: TextStyles = {}, other: TextStyles = {}): boolean {
  return STYLE_NAMES.every((name) => one[name] === other[name]);
}

function styled(styles: TextStyles): { style?: TextStyles } {
  return Object.keys(styles).length > 0 ? { style: styles } : {};
}
