import { wellFormed } from './limits.ts';
import { linkTarget } from './link-target.ts';
import type { InlineNode, TextStyles } from './rich-nodes.ts';

const NO_BREAK_SPACE = '\u00a0';
const NO_STYLES: TextStyles = {};
/** Our limit for consecutive line breaks. */
const LINE_BREAKS_MAX = 100;
const CELL_SEPARATOR = ' | ';

export type InlineWriter = ReturnType<typeof createInlineWriter>;

/**
 * Collects the text of a paragraph as a browser lays it out, with collapsed white space and trimmed
 * edges, in the current style and link.
 */
export function createInlineWriter() {
  let nodes: InlineNode[] = [];
  let styles: TextStyles = {};
  // The URL of the open link, validated only when text follows.
  let rawHref = '';
  let target: string | undefined;
  // Written only if something follows: a line break, cell separators, a bullet.
  let breakDue = false;
  let separatorsDue = 0;
  let bulletDue = false;

  function trimTrailingSpace() {
    const last = nodes.at(-1);
    if (last?.type !== 'text' || !last.text.endsWith(' ')) return;
    last.text = last.text.slice(0, -1);
    if (last.text === '') nodes.pop();
  }

  function lineBreak() {
    trimTrailingSpace();
    nodes.push({ type: 'break' });
  }

  function writeDue() {
    if (breakDue && nodes.length > 0) lineBreak();
    const due = CELL_SEPARATOR.repeat(separatorsDue) + (bulletDue ? '• ' : '');
    breakDue = false;
    separatorsDue = 0;
    bulletDue = false;
    if (due === '') return;
    const last = nodes.at(-1);
    // Continue plain text; don't extend a styled or linked text.
    if (last?.type === 'text' && Object.keys(last.styles).length === 0 && !last.href)
      last.text += due;
    else nodes.push({ type: 'text', text: due, styles: NO_STYLES });
  }

  function link(): { href?: string } {
    if (rawHref !== '') target = linkTarget(wellFormed(rawHref));
    rawHref = '';
    return target === undefined ? {} : { href: target };
  }

  function append(text: string) {
    const last = nodes.at(-1);
    const linked = link();
    if (last?.type === 'text' && last.styles === styles && last.href === linked.href) {
      last.text += text;
    } else nodes.push({ type: 'text', text, styles, ...linked });
  }

  return {
    /**
     * Sets the style of the following text. Pass the same object for the same style, so that texts
     * are joined.
     */
    setStyles(next: TextStyles) {
      styles = next;
    },
    /** Sets the link of the following text, if it may be clicked; '' for none. */
    setHref(href: string) {
      rawHref = href;
      target = undefined;
    },
    text(chars: string) {
      writeDue();
      append(chars);
    },
    space() {
      const last = nodes.at(-1);
      if (breakDue || last === undefined || last.type === 'break') return;
      if (last.type === 'text' && last.text.endsWith(' ')) return;
      append(' ');
    },
    /** White space as it is, with at most LINE_BREAKS_MAX line breaks. */
    keptWhiteSpace(chars: string) {
      for (const [index, part] of chars.split('\n', LINE_BREAKS_MAX + 1).entries()) {
        if (index > 0) lineBreak();
        if (part !== '') append(part);
      }
    },
    image(alt: string, src: string) {
      writeDue();
      nodes.push({ type: 'image', alt, src, ...link() });
    },
    break() {
      writeDue();
      lineBreak();
    },
    dueBreak() {
      breakDue = nodes.length > 0;
    },
    cancelBreak() {
      breakDue = false;
    },
    dueSeparator() {
      separatorsDue += 1;
    },
    cancelSeparators() {
      separatorsDue = 0;
    },
    dueBullet() {
      bulletDue = true;
    },
    /** Returns the paragraph, or undefined if there is none, and starts the next one. */
    take(): InlineNode[] | undefined {
      breakDue = false;
      separatorsDue = 0;
      bulletDue = false;
      trimTrailingSpace();
      if (nodes.length === 0) return undefined;
      // The last break of a paragraph only ends its last line.
      if (nodes.at(-1)?.type === 'break') nodes.pop();
      const taken = nodes.flatMap(readable);
      nodes = [];
      return taken;
    },
  };
}

function readable(node: InlineNode): InlineNode[] {
  if (node.type === 'break') return [node];
  if (node.type === 'text') {
    const text = wellFormed(node.text).replaceAll(NO_BREAK_SPACE, ' ');
    return text === '' ? [] : [{ ...node, text }];
  }
  const alt = wellFormed(node.alt).replace(/\s+/g, ' ').trim();
  const target = linkTarget(wellFormed(node.src)) ?? '';
  const src = target.startsWith('http') ? target : '';
  return alt === '' && src === '' ? [] : [{ ...node, alt, src }];
}
