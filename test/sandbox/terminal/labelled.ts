import { columnsOf, padTo, wrap } from './columns.ts';
import type { Look } from './look.ts';
import { wordByWord } from './mrkdwn.ts';

/** Wide enough for the labels that the app uses. */
export const LABEL_COLUMNS = 16;

/** A label with its text next to it, as a block. */
export function labelled(label: string, text: string, look: Look): string[] {
  const heading = padTo(wordByWord(label, look.paint.bold), LABEL_COLUMNS);
  const indent = ' '.repeat(LABEL_COLUMNS);
  const lines = wrap(text, look.columns - LABEL_COLUMNS);
  return columnsOf(label) < LABEL_COLUMNS
    ? lines.map((line, index) => (index === 0 ? heading : indent) + line)
    : [heading, ...lines.map((line) => indent + line)];
}
