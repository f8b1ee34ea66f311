import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { wellFormed } from './limits.ts';

export type TextStyles = {
  bold?: boolean;
  italic?: boolean;
  strike?: boolean;
  code?: boolean;
  underline?: boolean;
};

/** `href` comes from linkTarget, so it is safe to click. An image becomes text: its description. */
export type InlineNode =
  | { type: 'text'; text: string; styles: TextStyles; href?: string }
  | { type: 'break' };

/** A paragraph without children is a blank line. The rows of a table are lines of one paragraph. */
export type RichNode =
  | { type: 'paragraph'; children: InlineNode[] }
  | { type: 'list'; ordered: boolean; start: number; items: RichNode[][] }
  | { type: 'quote'; children: RichNode[] }
  | { type: 'preformatted'; text: string };

const NAMES = ['bold', 'italic', 'strike', 'underline', 'code'] as const;
const TAGS: Record<(typeof NAMES)[number], string> = {
  bold: 'b strong h1 h2 h3 h4 h5 h6',
  italic: 'i em cite dfn var',
  strike: 's strike del',
  underline: 'u ins',
  code: 'code kbd samp tt',
};
const STYLE_OF = new Map(
  NAMES.flatMap((name) => TAGS[name].split(' ').map((tag) => [tag, name] as const)),
);

/** Our limit for `style` attributes, in UTF-16 units. */
const STYLE_ATTRIBUTE_MAX = 1000;
const CSS: readonly [RegExp, keyof TextStyles, boolean][] = [
  [/font-weight:\s{0,9}(?:bold|[6-9]00)/i, 'bold', true],
  // Google Docs wraps pasted documents in <b style="font-weight:normal">, which is not bold.
  [/font-weight:\s{0,9}(?:normal|[1-5]00)/i, 'bold', false],
  [/font-style:\s{0,9}(?:italic|oblique)/i, 'italic', true],
  [/font-style:\s{0,9}normal/i, 'italic', false],
  [/text-decoration(?:-line)?:[^;]{0,50}line-through/i, 'strike', true],
  [/text-decoration(?:-line)?:[^;]{0,50}underline/i, 'underline', true],
];

export function stylesIn({ tagName, attrs }: Tree.Element, around: TextStyles): TextStyles {
  const own = STYLE_OF.get(tagName);
  const css = attrs.find(({ name }) => name === 'style')?.value.slice(0, STYLE_ATTRIBUTE_MAX);
  if (!own && !css) return around;
  const styles = { ...around };
  if (own) styles[own] = true;
  for (const [pattern, style, on] of css ? CSS : []) {
    if (!pattern.test(css ?? '')) continue;
    if (on) styles[style] = true;
    else delete styles[style];
  }
  return styles;
}

/**
 * A paragraph as browsers lay it out: without white space that they collapse or trim, and with texts of the same style
 * joined. Undefined if there is none.
 */
export function layOut(line: readonly InlineNode[]): InlineNode[] | undefined {
  const nodes: InlineNode[] = [];
  for (const node of line) append(nodes, node);
  trimEnd(nodes);
  if (nodes.length === 0) return undefined;
  // The last break of a paragraph only ends its last line.
  if (nodes.at(-1)?.type === 'break') nodes.pop();
  return readable(nodes);
}

function append(nodes: InlineNode[], node: InlineNode): void {
  if (node.type === 'break') {
    trimEnd(nodes);
    nodes.push(node);
    return;
  }
  const last = nodes.at(-1);
  const text = endsWithSpace(last) ? node.text.replace(/^ /, '') : node.text;
  if (text === '') return;
  if (last?.type === 'text' && isAlike(last, node)) last.text += text;
  else nodes.push({ ...node, text });
}

const endsWithSpace = (last: InlineNode | undefined) =>
  !last || last.type === 'break' || last.text.endsWith(' ');

function trimEnd(nodes: InlineNode[]): void {
  const last = nodes.at(-1);
  if (last?.type !== 'text') return;
  last.text = last.text.replace(/ $/, '');
  if (last.text === '') nodes.pop();
}

type Text = Extract<InlineNode, { type: 'text' }>;

const isAlike = (one: Text, other: Text) =>
  one.href === other.href && NAMES.every((name) => one.styles[name] === other.styles[name]);

/** Well-formed, with plain spaces for non-breaking ones, and without empty texts. */
export const readable = (nodes: readonly InlineNode[]): InlineNode[] =>
  nodes.flatMap((node): InlineNode[] => {
    if (node.type !== 'text') return [node];
    const text = wellFormed(node.text).replaceAll('\u00a0', ' ');
    return text === '' ? [] : [{ ...node, text }];
  });
