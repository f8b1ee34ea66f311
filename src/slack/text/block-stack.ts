import type { InlineWriter } from './inline-writer.ts';
import { wellFormed } from './limits.ts';
import type { RichNode } from './rich-nodes.ts';

/** Our limit for nested lists, quotes, and so on; deeper levels are flattened. */
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

/**
 * The elements that are open around the current paragraph, and the tree that finished paragraphs
 * are added to.
 */
export function createBlockStack(writer: InlineWriter) {
  const root: RichNode[] = [];
  const frames: Frame[] = [];
  // Start tags that opened no frame, so that their end tags close none.
  const ignored = new Map<string, number>();

  function innermost(...kinds: Frame['kind'][]): Frame | undefined {
    return frames.findLast(({ kind }) => kinds.includes(kind));
  }

  function add(node: RichNode) {
    const around = innermost('list', 'item', 'quote');
    if (around?.kind === 'item' || around?.kind === 'quote') around.into.push(node);
    else if (around?.kind !== 'list') root.push(node);
    else {
      // A list directly inside a list belongs to the item before it; anything else becomes an item.
      const last = node.type === 'list' ? around.list.items.at(-1) : undefined;
      if (last) last.push(node);
      else around.list.items.push([node]);
    }
  }

  function endParagraph() {
    const children = writer.take();
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
      writer.dueBreak();
    } else endParagraph();
  }

  function finishFrame(frame: Frame) {
    if (frame.kind === 'cell') {
      writer.cancelBreak();
      frame.closed();
    } else if (frame.kind === 'row') {
      writer.cancelSeparators();
      writer.dueBreak();
    } else if (frame.kind === 'preformatted') {
      // A single line feed before </pre> comes from formatting the HTML; more are intended.
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
    // Rows and cells may have no end tags; they end with the table.
    if (tag === 'table' && open === 1) for (const part of ['tr', 'td', 'th']) ignored.delete(part);
    boundary();
    return true;
  }

  return {
    innermost,
    innermostWithTag: (tag: string) => frames.findLast((frame) => frame.tag === tag),
    top: () => frames.at(-1),
    /**
     * The start or end of a block. In a table cell or preformatted text it is only a line break.
     */
    boundary,
    /** Records a start tag that opens no frame, so that its end tag closes none. */
    ignore,
    isIgnoring: (tag: string) => (ignored.get(tag) ?? 0) > 0,
    /**
     * Opens a frame, or only records the tag where nothing nests: in a cell, in preformatted text,
     * or too deep.
     *
     * @returns whether it was opened
     */
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
    /**
     * Handles an end tag: closes this frame, if any, with everything inside, but never a cell
     * around it.
     */
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
