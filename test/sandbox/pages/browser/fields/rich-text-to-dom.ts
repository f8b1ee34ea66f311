import { asObject, asText, type JsonObject, objectsOf } from '../../../../stand-ins/slack/json.ts';

const TAG_OF: Record<string, string> = { bold: 'b', italic: 'i', strike: 's', code: 'code' };
const BLOCK_OF: Record<string, string> = {
  rich_text_quote: 'blockquote',
  rich_text_preformatted: 'pre',
};

/** The editor content for a rich_text block, as nodes, never as markup. */
export function richTextToDom(block: JsonObject): Node[] {
  return objectsOf(block.elements).flatMap((part) => {
    if (part.type === 'rich_text_list') return [listOf(part)];
    const lines = linesOf(objectsOf(part.elements));
    return lines.map((nodes) => element(BLOCK_OF[asText(part.type)] ?? 'div', nodes));
  });
}

function listOf(list: JsonObject): HTMLElement {
  const items = objectsOf(list.elements).map((item) =>
    element('li', objectsOf(item.elements).map(inlineOf)),
  );
  const indent = Number(list.indent ?? 0);
  const tag = list.style === 'ordered' ? 'ol' : 'ul';
  let shown = element(tag, items);
  for (let depth = 0; depth < indent; depth += 1) shown = element(tag, [shown]);
  return shown;
}

function linesOf(nodes: JsonObject[]): Node[][] {
  const lines: Node[][] = [[]];
  for (const node of nodes) {
    const parts = asText(node.text).split('\n');
    for (const [index, text] of parts.entries()) {
      if (index > 0) lines.push([]);
      if (text !== '' || node.type !== 'text') lines.at(-1)?.push(inlineOf({ ...node, text }));
    }
  }
  return lines.map((line) => (line.length > 0 ? line : [document.createElement('br')]));
}

function inlineOf(node: JsonObject): Node {
  let shown: Node = document.createTextNode(asText(node.text) || asText(node.url));
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
