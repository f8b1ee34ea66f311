import { defaultTreeAdapter, parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import {
  type InlineNode,
  layOut,
  type RichNode,
  readable,
  stylesIn,
  type TextStyles,
} from './html-paragraph.ts';
import { wellFormed } from './limits.ts';
import { linkTarget } from './link-target.ts';

/** Our limit for HTML without its pasted images, in UTF-16 units; the service documents none. */
export const HTML_MAX = 100_000;
/** Ours: from hostile HTML, browsers build far more elements than it has tags (github.com/whatwg/html/issues/10772). */
export const ELEMENTS_MAX = 5_000;
/** Our limit for nested elements. Of what is nested deeper, only the text is read. */
const NESTING_MAX = 100;
const LIST_START_MAX = 999_999;

/** A pasted image. It can be longer than everything else, and Slack could not show it. */
const IMAGE_DATA = /(=\s{0,9}["']?)data:image\/[^"'\s<>]*/gi;

/** What could be the start of a tag, an entity, or a character, where HTML was cut. */
const CUT = /(?:[<&][^<>&;]{0,40}|[\ud800-\udbff])$/;

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(' '));
/** Left out with their content: metadata, code, other markup languages, and what only old browsers show. */
const DROPPED = setOf(
  'script style template noscript title iframe noembed noframes svg math audio video canvas',
);
/** They start and end a line. */
const BLOCKS = setOf(
  'address article aside caption center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend main nav option p search section summary table tbody tfoot thead',
);
const LISTS = setOf('ul ol menu dir');
const PREFORMATTED = setOf('pre listing xmp plaintext');

/**
 * Parses HTML into a small tree of what a browser would show: with collapsed white space, and well-formed. Unknown
 * elements are transparent. Text without any tag keeps its line breaks. Reads up to ELEMENTS_MAX.
 *
 * @param most how much of it is read, in UTF-16 units
 */
export function parseHtml(html: string, most = HTML_MAX): RichNode[] {
  const written = html.replace(IMAGE_DATA, '$1');
  const length = Math.min(most, HTML_MAX);
  const source = written.length > length ? written.slice(0, length).replace(CUT, '') : written;
  const firstTag = written.search(/<[a-z/!?]/i);
  if (firstTag >= 0 && written.includes('>', firstTag)) {
    return blocksIn(documentOf(source).childNodes, { styles: {}, depth: 0 });
  }
  // "width <height" starts no tag.
  const text = textOf(documentOf(`<pre>\n${source.replaceAll('<', '&lt;')}`).childNodes);
  const children = readable(linesOfText(text, {}));
  return children.length > 0 ? [{ type: 'paragraph', children }] : [];
}

/** The document as browsers build it, up to ELEMENTS_MAX. */
function documentOf(html: string): Tree.Document {
  const document = defaultTreeAdapter.createDocument();
  let elements = 0;
  const treeAdapter: typeof defaultTreeAdapter = {
    ...defaultTreeAdapter,
    createDocument: () => document,
    createElement(...element) {
      elements += 1;
      if (elements > ELEMENTS_MAX) throw new TooManyElementsError();
      return defaultTreeAdapter.createElement(...element);
    },
  };
  try {
    parse(html, { treeAdapter });
  } catch (error) {
    if (!(error instanceof TooManyElementsError)) throw error;
  }
  return document;
}

class TooManyElementsError extends Error {}

/** What applies to the text inside an element. */
type Scope = { styles: TextStyles; href?: string | undefined; depth: number };

function blocksIn(nodes: readonly Tree.ChildNode[], scope: Scope): RichNode[] {
  const blocks: RichNode[] = [];
  let line: InlineNode[] = [];

  function endParagraph(): void {
    const children = layOut(line);
    line = [];
    if (children) blocks.push({ type: 'paragraph', children });
  }

  function addText(text: string, { styles, href }: Scope): void {
    const collapsed = text.replace(/[ \t\n\f\r]+/g, ' ');
    line.push({ type: 'text', text: collapsed, styles, ...(href ? { href } : {}) });
  }

  function walk(children: readonly Tree.ChildNode[], around: Scope): void {
    if (around.depth > NESTING_MAX) addText(textOf(children), around);
    else
      for (const node of children) {
        if (defaultTreeAdapter.isTextNode(node)) addText(node.value, around);
        else if (isShown(node)) visit(node, around);
      }
  }

  function visit(element: Tree.Element, around: Scope): void {
    const { tagName: tag, childNodes: inside } = element;
    const scope = { ...around, depth: around.depth + 1, styles: stylesIn(element, around.styles) };
    const whole = wholeBlocks(element, scope);
    if (whole) {
      endParagraph();
      blocks.push(...whole);
    } else if (tag === 'br') line.push({ type: 'break' });
    else if (tag === 'img') line.push(...imageOf(element, around));
    else if (tag === 'a') walk(inside, { ...scope, href: targetOf(element, 'href') });
    else if (BLOCKS.has(tag)) walkBlock(inside, scope);
    else walk(inside, scope);
  }

  function walkBlock(children: readonly Tree.ChildNode[], within: Scope): void {
    endParagraph();
    walk(children, within);
    endParagraph();
  }

  walk(nodes, scope);
  endParagraph();
  return blocks;
}

/** The blocks of an element that never shares a paragraph with its neighbors; undefined for any other. */
function wholeBlocks(element: Tree.Element, scope: Scope): RichNode[] | undefined {
  const { tagName: tag, childNodes: inside } = element;
  if (LISTS.has(tag)) return [listOf(element, scope)];
  if (tag === 'li') return [listOfItems([blocksIn(inside, scope)])];
  if (tag === 'blockquote') return [{ type: 'quote', children: blocksIn(inside, scope) }];
  if (tag === 'tr') return rowOf(element, scope);
  if (!PREFORMATTED.has(tag)) return undefined;
  const text = wellFormed(textOf(inside)).replace(/\n$/, '');
  return text === '' ? [] : [{ type: 'preformatted', text }];
}

const isShown = (node: Tree.ChildNode): node is Tree.Element =>
  defaultTreeAdapter.isElementNode(node) && !DROPPED.has(node.tagName);

/** All text inside, in a loop: hostile HTML is nested deeper than a function can call itself. */
function textOf(nodes: readonly Tree.ChildNode[]): string {
  let text = '';
  const left: (Tree.ChildNode | 'end of line')[] = nodes.toReversed();
  const endLine = () => {
    if (text !== '' && !text.endsWith('\n')) text += '\n';
  };
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node === 'end of line') endLine();
    else if (defaultTreeAdapter.isTextNode(node)) text += node.value;
    else if (isShown(node)) {
      if (node.tagName === 'br') text += '\n';
      if (BLOCKS.has(node.tagName)) {
        endLine();
        left.push('end of line');
      }
      left.push(...node.childNodes.toReversed());
    }
  }
  return text;
}

/** What stands in a list outside of its items belongs to the item before it. */
function listOf(list: Tree.Element, scope: Scope): RichNode {
  const items: RichNode[][] = [];
  for (const node of list.childNodes) {
    const isItem = node.nodeName === 'li';
    const blocks = blocksIn(isItem && isShown(node) ? node.childNodes : [node], scope);
    const last = items.at(-1);
    if (last && !isItem) last.push(...blocks);
    else if (isItem || blocks.length > 0) items.push(blocks);
  }
  const start = Number.parseInt(attributeOf(list, 'start'), 10) || 1;
  const numbered = { ordered: true, start: Math.min(Math.max(start, 1), LIST_START_MAX) };
  return listOfItems(items, list.tagName === 'ol' ? numbered : {});
}

const listOfItems = (items: RichNode[][], numbered = {}): RichNode => ({
  type: 'list',
  ordered: false,
  start: 1,
  items,
  ...numbered,
});

/** The cells of a row, as parts of one line. */
function rowOf({ childNodes }: Tree.Element, scope: Scope): RichNode[] {
  const cells = childNodes.filter(isShown).map((cell) => inlineOf(blocksIn([cell], scope)));
  const filled = cells.slice(0, cells.findLastIndex((cell) => cell.length > 0) + 1);
  const children = filled.flatMap((cell, index) => (index > 0 ? [plain(' | '), ...cell] : cell));
  return children.length > 0 ? [{ type: 'paragraph', children }] : [];
}

/** Blocks as lines of one paragraph. */
function inlineOf(blocks: readonly RichNode[]): InlineNode[] {
  return blocks.flatMap((block, index): InlineNode[] => [
    ...(index > 0 ? [{ type: 'break' as const }] : []),
    ...inlineOfBlock(block),
  ]);
}

function inlineOfBlock(block: RichNode): InlineNode[] {
  switch (block.type) {
    case 'list':
      return block.items.flatMap((item, index): InlineNode[] => [
        ...(index > 0 ? [{ type: 'break' as const }] : []),
        plain('• '),
        ...inlineOf(item),
      ]);
    case 'quote':
      return inlineOf(block.children);
    case 'preformatted':
      return linesOfText(block.text, { code: true });
    default:
      return block.children;
  }
}

const plain = (text: string): InlineNode => ({ type: 'text', text, styles: {} });

const linesOfText = (text: string, styles: TextStyles): InlineNode[] =>
  text
    .split('\n')
    .flatMap((line, index): InlineNode[] => [
      ...(index > 0 ? [{ type: 'break' as const }] : []),
      ...(line === '' ? [] : [{ type: 'text' as const, text: line, styles }]),
    ]);

function imageOf(element: Tree.Element, { href }: Scope): InlineNode[] {
  const src = targetOf(element, 'src');
  const alt = wellFormed(attributeOf(element, 'alt')).replace(/\s+/g, ' ').trim();
  const shown = src?.startsWith('http') ? src : undefined;
  if (alt === '' && !shown) return [];
  const target = href ?? shown;
  return [{ type: 'text', text: alt || 'image', styles: {}, ...(target ? { href: target } : {}) }];
}

const attributeOf = ({ attrs }: Tree.Element, name: string): string =>
  attrs.find((each) => each.name === name)?.value ?? '';

const targetOf = (element: Tree.Element, attribute: string): string | undefined =>
  linkTarget(wellFormed(attributeOf(element, attribute)));
