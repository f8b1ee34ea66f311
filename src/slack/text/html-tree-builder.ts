import type { Token } from 'parse5';
import { createBlockStack, type Frame, type List } from './block-stack.ts';
import {
  type ElementKind,
  elementKind,
  METADATA,
  RAW_CONTENT,
  type RawContent,
} from './html-tags.ts';
import { createInlineWriter } from './inline-writer.ts';
import { visibleUnits } from './limits.ts';
import { createOpenStyles } from './open-styles.ts';

const LIST_START_MAX = 999_999;
const FOREIGN = /^(?:svg|math)$/;

type Attribute = (name: string) => string;

/**
 * Builds the tree from the tokenizer's tokens, each in constant time. Paragraphs and styles are
 * state, not nodes, so only containers of blocks are nested.
 */
export function createTreeBuilder({ keepWhiteSpace }: { keepWhiteSpace: boolean }) {
  const writer = createInlineWriter();
  const styles = createOpenStyles();
  const stack = createBlockStack(writer);
  let dropping: { tag: string; depth: number } | undefined;
  // HTML ignores a line feed right after <pre>.
  let afterPreTag = false;
  let visible = 0;

  // Styles are computed only when text follows: most tags of hostile documents have none.
  let stylesChanged = false;

  function openItem() {
    const around = stack.innermost('list', 'item', 'cell');
    // An item ends where the next one starts.
    if (around?.kind === 'item') stack.close('', around);
    const list = stack.top();
    if (list?.kind === 'list') stack.open({ kind: 'item', tag: 'li', into: [], list: list.list });
    else {
      stack.ignore('li');
      if (list?.kind !== 'preformatted') writer.dueBullet();
    }
  }

  // A table inside a cell is not opened; its rows and cells become lines of that cell.
  function innermostTable(): Frame | undefined {
    return stack.isIgnoring('table') ? undefined : stack.innermost('table');
  }

  function openRow() {
    const table = innermostTable();
    if (!table) return stack.ignore('tr');
    stack.closeInside(table);
    stack.open({ kind: 'row', tag: 'tr', cells: 0 });
    return undefined;
  }

  function openCell(tag: string) {
    if (!innermostTable()) return stack.ignore(tag);
    const around = stack.innermost('row', 'table');
    if (around?.kind === 'row') stack.closeInside(around);
    else openRow();
    const row = stack.top();
    if (row?.kind !== 'row') return stack.ignore(tag);
    if (row.cells > 0) writer.dueSeparator();
    row.cells += 1;
    const restore = styles.isolate();
    const closed = () => {
      restore();
      stylesChanged = true;
    };
    if (!stack.open({ kind: 'cell', tag, closed })) closed();
    return undefined;
  }

  const opening: Record<ElementKind, (tag: string, attribute: Attribute) => unknown> = {
    dropped: (tag) => {
      dropping = { tag, depth: 1 };
    },
    style: (tag, attribute) => {
      styles.open(tag, attribute('style'));
      stylesChanged = true;
    },
    block: () => stack.boundary(),
    break: () => {
      const frame = stack.top();
      if (frame?.kind === 'preformatted') frame.text += '\n';
      else writer.break();
    },
    link: (_, attribute) => writer.setHref(attribute('href')),
    image: (_, attribute) => writer.image(attribute('alt'), attribute('src')),
    list: (tag, attribute) => {
      const list = emptyList(tag === 'ol', attribute('start'));
      stack.open({ kind: 'list', tag, list });
    },
    item: openItem,
    quote: (tag) => stack.open({ kind: 'quote', tag, into: [] }),
    preformatted: (tag) => {
      stack.open({ kind: 'preformatted', tag, text: '' });
      afterPreTag = true;
    },
    heading: (tag) => {
      const before = stack.top();
      if (before?.kind === 'heading') stack.close('', before);
      stack.open({ kind: 'heading', tag, level: Number(tag[1]) });
    },
    table: (tag) => stack.open({ kind: 'table', tag }),
    row: openRow,
    cell: openCell,
  };

  function closing(kind: ElementKind, tag: string) {
    if (kind === 'style') {
      styles.close(tag);
      stylesChanged = true;
    } else if (kind === 'link') writer.setHref('');
    else if (kind === 'block') stack.boundary();
    else if (kind === 'item') {
      // Not the item around the list that contains the tag.
      const around = stack.innermost('list', 'item');
      stack.close(tag, around?.kind === 'item' ? around : undefined);
    } else if (kind === 'heading' || kind === 'cell') stack.close(tag, stack.innermost(kind));
    else stack.close(tag, stack.innermostWithTag(tag));
  }

  function applyStyles() {
    if (stylesChanged) writer.setStyles(styles.current());
    stylesChanged = false;
  }

  const inForeignContent = () => dropping !== undefined && FOREIGN.test(dropping.tag);

  function isDropped(tag: string): boolean {
    if (dropping?.tag === 'head' && tag !== 'head' && !METADATA.has(tag)) dropping = undefined;
    if (dropping?.tag === tag) dropping.depth += 1;
    return dropping !== undefined;
  }

  return {
    /**
     * Handles a start tag.
     *
     * @returns how the tokenizer has to read the content, if it isn't markup
     */
    startTag({ tagName: tag, attrs, selfClosing }: Token.TagToken): RawContent | undefined {
      afterPreTag = false;
      // Only SVG and MathML elements can be self-closing.
      const closed = selfClosing && (inForeignContent() || FOREIGN.test(tag));
      const kind = elementKind(tag);
      if (!(closed || isDropped(tag)) && kind) {
        opening[kind](tag, (name) => attrs.find((each) => each.name === name)?.value ?? '');
      }
      return inForeignContent() ? undefined : RAW_CONTENT.get(tag);
    },
    endTag(tag: string) {
      afterPreTag = false;
      const kind = elementKind(tag);
      if (!dropping) {
        if (kind) closing(kind, tag);
      } else if (dropping.tag === tag) {
        dropping.depth -= 1;
        if (dropping.depth === 0) dropping = undefined;
      }
    },
    text(chars: string) {
      afterPreTag = false;
      if (dropping) return;
      const frame = stack.top();
      if (frame?.kind === 'preformatted') frame.text += chars;
      else {
        applyStyles();
        writer.text(chars);
      }
      visible += visibleUnits(chars);
    },
    whiteSpace(chars: string) {
      if (dropping) return;
      const frame = stack.top();
      applyStyles();
      if (frame?.kind === 'preformatted') {
        frame.text += afterPreTag && chars.startsWith('\n') ? chars.slice(1) : chars;
      } else if (keepWhiteSpace) writer.keptWhiteSpace(chars);
      else writer.space();
      afterPreTag = false;
    },
    /** The visible text in the tree so far, in UTF-16 units. */
    visibleUnits: () => visible,
    /** Whether the tokenizer is inside SVG or MathML, where `<![CDATA[` has a meaning. */
    inForeignContent,
    finish: stack.finish,
  };
}

function emptyList(ordered: boolean, startAttribute: string): List {
  const start = Number.parseInt(startAttribute, 10);
  return {
    type: 'list',
    ordered,
    start: Number.isNaN(start) ? 1 : Math.min(Math.max(start, 1), LIST_START_MAX),
    items: [],
  };
}
