import { asObject, asText, type JsonObject, objectsOf } from '../../../../stand-ins/slack/json.ts';
import type { Names } from '../workspace/names.tsx';

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
