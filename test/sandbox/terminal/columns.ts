import { stripVTControlCharacters } from 'node:util';

// Characters that terminals draw two columns wide: East Asian ones, and those shown as emoji.
const WIDE =
  /^[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|^\p{Emoji_Presentation}|\uFE0F/u;
const graphemes = new Intl.Segmenter();

/** How many columns of a terminal the text takes; escape sequences take none. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const { segment } of graphemes.segment(stripVTControlCharacters(text))) {
    columns += WIDE.test(segment) ? 2 : 1;
  }
  return columns;
}

/** The text filled up with spaces to that many columns. */
export function padTo(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
}

/**
 * Breaks text at its spaces into lines of at most that many columns. A word that is longer, such as
 * an address, stays whole, so that it can be copied.
 */
export function wrap(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, columns));
}

function wrapLine(line: string, columns: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ')) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (current !== '' && columnsOf(longer) > columns) {
      lines.push(current);
      current = word;
    } else {
      current = longer;
    }
  }
  return [...lines, current];
}
