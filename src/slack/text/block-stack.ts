import type { InlineWriter } from './inline-writer.ts';
import { wellFormed } from './limits.ts';
import type { RichNode } from './rich-nodes.ts';

/** Deepest nesting of lists, quotes, headings, preformatted text and tables (ours); the rest is flattened. */
const NESTING_MAX = 100;

export type List = Extract<RichNode, { type: 'list' }>;
export type Frame =
  | { kind: 'list'; tag: string; list: List }
  | { kind: 'item'; tag: string; into: RichNode[]; list: List }
  | { kind: 'quote'; tag: string; into: RichNode[] }
  | { kind: 'heading'; tag: string; level: number }
  | { kind: 'preformatted'; tag: string; text: string }
  | { kind: 'table'; tag: string }
  | { kind: 'row'; tag: string; cells: number }
  | { kind: 'cell'; tag: string; closed: () => void };

/** What is open around the current paragraph, and the tree that finished paragraphs go into. */
export function createBlockStack(line: InlineWriter) {
  const root: RichNode[] = [];
  const frames: Frame[] = [];
  // Start tags that opened nothing here, so that their end tags close nothing.
  const ignored = new Map<string, number>();

  function innermost(...kinds: Frame['kind'][]): Frame | undefined {
    return frames.findLast(({ kind }) => kinds.includes(kind));
  }

  function add(node: RichNode) {
    const around = innermost('list', 'item', 'quote');
    if (around?.kind === 'item' || around?.kind === 'quote') around.into.push(node);
    else if (around?.kind !== 'list') root.push(node);
    else {
      // A list right in a list belongs to the item before it; anything else there is an item of its own.
      const last = node.type === 'list' ? around.list.items.at(-1) : undefined;
      if (last) last.push(node);
      else around.list.items.push([node]);
    }
  }

  function endParagraph() {
    const children = line.take();
    if (children === undefined) return;
    const around = innermost('heading', 'list', 'item', 'quote');
    if (around?.kind === 'heading' && children.length > 0) {
      add({ type: 'heading', level: around.level, children });
    } else add({ type: 'paragraph', children });
  }

  function boundary() {
    const frame = frames.at(-1);
    if (frame?.kind === 'preformatted') {
      if (frame.text !== '' && !frame.text.endsWith('\n')) frame.text += '\n';
    } else if (frame?.kind === 'cell' || frame?.kind === 'row' || frame?.kind === 'table') {
      line.dueBreak();
    } else endParagraph();
  }

  function finishFrame(frame: Frame) {
    if (frame.kind === 'cell') {
      line.cancelBreak();
      frame.closed();
    } else if (frame.kind === 'row') {
      line.cancelSeparators();
      line.dueBreak();
    } else if (frame.kind === 'preformatted') {
      // One line feed before </pre> is how people write HTML; more are meant.
      const written = wellFormed(frame.text);
      const text = /[^\n]\n$/.test(written.slice(-2)) ? written.slice(0, -1) : written;
      if (text !== '') add({ type: 'preformatted', text });
    } else endParagraph();
  }

  function closeDownTo(depth: number) {
    while (frames.length > depth) {
      const frame = frames.at(-1);
      if (frame) finishFrame(frame);
      frames.pop();
    }
  }

  function ignore(tag: string) {
    ignored.set(tag, (ignored.get(tag) ?? 0) + 1);
    boundary();
  }

  function stopIgnoring(tag: string): boolean {
    const open = ignored.get(tag) ?? 0;
    if (open === 0) return false;
    ignored.set(tag, open - 1);
    // End tags of rows and cells may be missing: theirs end with the table.
    if (tag === 'table' && open === 1) for (const part of ['tr', 'td', 'th']) ignored.delete(part);
    boundary();
    return true;
  }

  return {
    innermost,
    innermostWithTag: (tag: string) => frames.findLast((frame) => frame.tag === tag),
    top: () => frames.at(-1),
    /** A block begins or ends here. In a table's cell and in preformatted text that is only a new line. */
    boundary,
    /** Notes a start tag that opens nothing, so that its end tag closes nothing. */
    ignore,
    isIgnoring: (tag: string) => (ignored.get(tag) ?? 0) > 0,
    /** Opens a frame; false where nothing nests (a cell, preformatted text, too deep): it is only noted. */
    open(frame: Frame): boolean {
      const kind = frames.at(-1)?.kind;
      if (kind === 'cell' || kind === 'preformatted' || frames.length >= NESTING_MAX) {
        ignore(frame.tag);
        return false;
      }
      if (frame.kind === 'row') boundary();
      else if (frame.kind !== 'cell') endParagraph();
      if (frame.kind === 'list') add(frame.list);
      if (frame.kind === 'quote') add({ type: 'quote', children: frame.into });
      if (frame.kind === 'item') frame.list.items.push(frame.into);
      frames.push(frame);
      return true;
    },
    /** Closes everything inside this frame. */
    closeInside: (frame: Frame) => closeDownTo(frames.indexOf(frame) + 1),
    /** An end tag: closes this frame (if any) with all inside it, but never a cell around it. */
    close(tag: string, frame: Frame | undefined) {
      if (stopIgnoring(tag)) return;
      const isTablePart = frame && /^(?:table|row|cell)$/.test(frame.kind);
      if (frame && (isTablePart || frames.at(-1)?.kind !== 'cell')) {
        closeDownTo(frames.indexOf(frame));
      } else boundary();
    },
    finish(): RichNode[] {
      closeDownTo(0);
      endParagraph();
      return root;
    },
  };
}
