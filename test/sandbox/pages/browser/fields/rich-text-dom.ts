import { asObject, type JsonObject, parseJson } from '../../../../stand-ins/slack/json.ts';

type Kind = 'section' | 'quote' | 'preformatted' | 'bullet' | 'ordered';
/** A line as the editor shows it. */
type Line = { kind: Kind; indent: number; nodes: JsonObject[] };

const STYLE_OF: Record<string, string> = {
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
export function richTextFromDom(root: Node) {
  const lines = linesIn(root);
  while (lines.at(-1)?.nodes.length === 0) lines.pop();
  if (lines.length === 0) return null;
  const elements: { type: string; elements: JsonObject[] }[] = [];
  for (const [index, { kind, indent, nodes }] of lines.entries()) {
    const before = lines[index - 1];
    const part = before?.kind === kind && before.indent === indent ? elements.at(-1) : undefined;
    if (isList(kind)) {
      const item = { type: 'rich_text_section', elements: nodes };
      const list = { type: 'rich_text_list', style: kind, indent, elements: [item] };
      if (part) part.elements.push(item);
      else elements.push(list);
    } else if (part) part.elements.push({ type: 'text', text: '\n' }, ...nodes);
    else elements.push({ type: `rich_text_${kind}`, elements: nodes });
  }
  return { type: 'rich_text' as const, elements };
}

/** The formatting inherited from surrounding elements. */
type Around = { kind: Kind; indent: number; style: JsonObject };

function linesIn(root: Node): Line[] {
  const lines: Line[] = [];
  let open: Line | undefined;

  function begin({ kind, indent }: Around): Line {
    open = { kind, indent, nodes: [] };
    lines.push(open);
    return open;
  }

  function write(data: string, around: Around): void {
    // The editor keeps spaces that would collapse as no-break spaces.
    const text = data.replaceAll('\u00a0', ' ').replaceAll('\n', '');
    const { style } = around;
    const styled = { type: 'text', text, ...(Object.keys(style).length > 0 ? { style } : {}) };
    if (text !== '') (open ?? begin(around)).nodes.push(styled);
  }

  function visit(node: Node, around: Around): void {
    if (node instanceof Text) write(node.data, around);
    else if (node instanceof HTMLBRElement) {
      // A line break that ends a block only gives it height.
      if (!open || !endsBlock(node)) begin(around);
    } else if (node instanceof HTMLElement) visitElement(node, around);
  }

  function endsBlock({ nextSibling, parentElement }: Node): boolean {
    if (nextSibling || !parentElement) return false;
    return parentElement === root || LINES.has(parentElement.tagName) || endsBlock(parentElement);
  }

  function visitElement(element: HTMLElement, around: Around): void {
    const { tagName, dataset } = element;
    // A mention, link, or emoji, as drawn from a value.
    if (dataset.node !== undefined) {
      (open ?? begin(around)).nodes.push(asObject(parseJson(dataset.node)));
      return;
    }
    const inside = insideOf(tagName, around);
    const isLine = LINES.has(tagName);
    if (isLine && !isList(KIND_OF[tagName])) begin(inside);
    for (const child of element.childNodes) visit(child, inside);
    if (isLine) open = undefined;
  }

  for (const child of root.childNodes) visit(child, { kind: 'section', indent: 0, style: {} });
  // A block that contains only other blocks has started an empty line.
  return lines.filter(
    ({ nodes, kind }, index) => nodes.length > 0 || lines[index + 1]?.kind === kind,
  );
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
