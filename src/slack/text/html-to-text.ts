import { linesOf, withGaps } from './html-lines.ts';
import { parseHtml } from './html-tree.ts';

/** HTML as lines of plain text, without its formatting; a link is followed by where it leads. */
export function htmlToText(html: string): string {
  let text = '';
  for (const { gap, line } of withGaps(linesOf(parseHtml(html)))) {
    const words = 'fenced' in line ? line.fenced : line.lead + line.spans.map(wordsOf).join('');
    text += gap + words;
  }
  return text.trim();
}

const wordsOf = ({ text, href }: { text: string; href?: string }) =>
  href === undefined || href === text ? text : `${text} (${href})`;
