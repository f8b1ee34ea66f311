import {
  asObject,
  asText,
  type JsonObject,
  objectsOf,
  parseJson,
} from '../../../../stand-ins/slack/json.ts';
import type { Names } from '../workspace/slack-context.ts';

type Style = { bold?: true; italic?: true; strike?: true; code?: true };
type Kind = 'section' | 'quote' | 'preformatted' | 'bullet' | 'ordered';
/** A line as the editor shows it. */
type Line = { kind: Kind; indent: number; nodes: JsonObject[] };

const STYLE_OF: Record<string, keyof Style> = {
  B: 'bold',
  STRONG: 'bold',
  I: 'italic',
  EM: 'italic',
  S: 'strike',
  STRIKE: 'strike',
  DEL: 'strike',
  CODE: 'code',
};
const KIND_OF: Record<string, Kind> = {
  BLOCKQUOTE: 'quote',
  PRE: 'preformatted',
  UL: 'bullet',
  OL: 'ordered',
};
const LINES = new Set(['DIV', 'P', 'LI', 'BLOCKQUOTE', 'PRE', 'UL', 'OL']);

/** The rich_text block that Slack would make of an editor's content; null if it is empty. */
export function richTextFromDom(root: Node): JsonObject | null {
  const lines = linesIn(root);
  while (lines.at(-1)?.nodes.length === 0) lines.pop();
  if (lines.every(({ nodes }) => nodes.length === 0)) return null;
  const elements: JsonObject[] = [];
  for (let at = 0; at < lines.length; ) {
    const first = lines[at];
    if (!first) break;
    const rest = lines.slice(at).findIndex((line) => !belongs(first, line));
    const together = lines.slice(at, rest < 0 ? undefined : at + rest);
    elements.push(partOf(first, together));
    at += together.length;
  }
  return { type: 'rich_text', elements };
}

const belongs = (one: Line, other: Line) => one.kind === other.kind && one.indent === other.indent;

function partOf({ kind, indent }: Line, lines: Line[]): JsonObject {
  if (isList(kind)) {
    const items = lines.map(({ nodes }) => ({ type: 'rich_text_section', elements: nodes }));
    return { type: 'rich_text_list', style: kind, indent, elements: items };
  }
  const elements = lines.flatMap(({ nodes }, index) =>
    index === 0 ? nodes : [{ type: 'text', text: '\n' }, ...nodes],
  );
  return { type: `rich_text_${kind}`, elements };
}

/** The formatting inherited from surrounding elements. */
type Around = { kind: Kind; indent: number; style: Style };

function linesIn(root: Node): Line[] {
  const lines: Line[] = [];
  let open: Line | undefined;

  function begin({ kind, indent }: Around) {
    open = { kind, indent, nodes: [] };
    lines.push(open);
  }

  function write(data: string, around: Around) {
    // The editor keeps spaces that would collapse as no-break spaces.
    const text = data.replaceAll('\u00a0', ' ').replaceAll('\n', '');
    if (text === '') return;
    if (!open) begin(around);
    const { style } = around;
    open?.nodes.push({ type: 'text', text, ...(Object.keys(style).length > 0 ? { style } : {}) });
  }

  function visit(node: Node, around: Around): void {
    if (node instanceof Text) write(node.data, around);
    else if (node instanceof HTMLBRElement) {
      // A line break that ends a block only gives it height.
      if (node.nextSibling || !open) begin(around);
    } else if (node instanceof HTMLElement) visitElement(node, around);
  }

  function visitElement(element: HTMLElement, around: Around): void {
    const { tagName } = element;
    // A mention, link, or emoji, as drawn from a value.
    if (element.dataset.node !== undefined) {
      if (!open) begin(around);
      open?.nodes.push(asObject(parseJson(element.dataset.node)));
      return;
    }
    const inside = insideOf(tagName, around);
    const isLine = LINES.has(tagName);
    if (isLine && !isList(KIND_OF[tagName])) begin(inside);
    for (const child of element.childNodes) visit(child, inside);
    if (isLine) open = undefined;
  }

  for (const child of root.childNodes) visit(child, { kind: 'section', indent: 0, style: {} });
  return withoutWrappers(lines);
}

const isList = (kind: Kind | undefined) => kind === 'bullet' || kind === 'ordered';

function insideOf(tagName: string, { kind, indent, style }: Around): Around {
  const own = KIND_OF[tagName];
  const name = STYLE_OF[tagName];
  return {
    kind: own ?? kind,
    indent: isList(own) && isList(kind) ? indent + 1 : indent,
    style: name ? { ...style, [name]: true } : style,
  };
}

// A block that contains only other blocks has started an empty line.
function withoutWrappers(lines: Line[]): Line[] {
  return lines.filter(
    ({ nodes, kind }, index) => nodes.length > 0 || lines[index + 1]?.kind === kind,
  );
}

const TAG_OF: Record<string, string> = { bold: 'b', italic: 'i', strike: 's', code: 'code' };
const BLOCK_OF: Record<string, string> = {
  rich_text_quote: 'blockquote',
  rich_text_preformatted: 'pre',
};

/** The editor content for a rich_text block, as nodes, never as markup. */
export function richTextToDom(block: JsonObject, names: Names): Node[] {
  const inlineOf = (node: JsonObject) =>
    node.type === 'text' ? textOf(node) : wholeOf(node, names);
  return objectsOf(block.elements).flatMap((part) => {
    if (part.type === 'rich_text_list') return [listOf(part, inlineOf)];
    const lines = linesOf(objectsOf(part.elements), inlineOf);
    return lines.map((nodes) => element(BLOCK_OF[asText(part.type)] ?? 'div', nodes));
  });
}

type Inline = (node: JsonObject) => Node;

function listOf(list: JsonObject, inlineOf: Inline): HTMLElement {
  const items = objectsOf(list.elements).map((item) =>
    element('li', objectsOf(item.elements).map(inlineOf)),
  );
  const indent = Number(list.indent ?? 0);
  const tag = list.style === 'ordered' ? 'ol' : 'ul';
  let shown = element(tag, items);
  for (let depth = 0; depth < indent; depth += 1) shown = element(tag, [shown]);
  return shown;
}

function linesOf(nodes: JsonObject[], inlineOf: Inline): Node[][] {
  const lines: Node[][] = [[]];
  for (const node of nodes) {
    const parts = node.type === 'text' ? asText(node.text).split('\n') : [''];
    for (const [index, text] of parts.entries()) {
      if (index > 0) lines.push([]);
      if (node.type !== 'text') lines.at(-1)?.push(inlineOf(node));
      else if (text !== '') lines.at(-1)?.push(inlineOf({ ...node, text }));
    }
  }
  return lines.map((line) => (line.length > 0 ? line : [document.createElement('br')]));
}

/** A mention, link, or emoji, which is deleted as a whole and otherwise stays as it is. */
function wholeOf(node: JsonObject, { userName, channelName }: Names): HTMLElement {
  const shown: Record<string, string> = {
    user: `@${userName(asText(node.user_id))}`,
    channel: `#${channelName(asText(node.channel_id))}`,
    emoji: `:${asText(node.name)}:`,
    usergroup: `@${asText(node.usergroup_id)}`,
  };
  const text = shown[asText(node.type)] ?? (asText(node.text) || asText(node.url));
  const whole = element('span', [document.createTextNode(text)]);
  whole.className = node.type === 'link' ? 'editor-link' : 'mention';
  whole.contentEditable = 'false';
  whole.dataset.node = JSON.stringify(node);
  return whole;
}

function textOf(node: JsonObject): Node {
  let shown: Node = document.createTextNode(asText(node.text));
  const style = asObject(node.style);
  for (const [name, tag] of Object.entries(TAG_OF)) {
    if (style[name] === true) shown = element(tag, [shown]);
  }
  return shown;
}

function element(tag: string, children: Node[]): HTMLElement {
  const made = document.createElement(tag);
  made.append(...children);
  return made;
}
