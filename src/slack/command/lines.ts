import type { KnownBlock } from '@slack/types';
import { SECTION_TEXT_MAX } from '../text/limits.ts';

/** Sections that one reply holds; more would bury the channel. */
const MOST_SECTIONS = 4;

/**
 * Lines of mrkdwn as few sections as they fit into.
 *
 * @returns the blocks, and how many lines did not fit
 */
export function buildLines(lines: readonly string[]): { blocks: KnownBlock[]; left: number } {
  const sections: string[] = [];
  let shown = 0;
  for (const line of lines) {
    const last = sections.at(-1);
    if (last !== undefined && last.length + 1 + line.length <= SECTION_TEXT_MAX) {
      sections[sections.length - 1] = `${last}\n${line}`;
    } else if (sections.length < MOST_SECTIONS) {
      sections.push(line.slice(0, SECTION_TEXT_MAX));
    } else {
      break;
    }
    shown += 1;
  }
  const blocks = sections.map(
    (text): KnownBlock => ({ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }),
  );
  return { blocks, left: lines.length - shown };
}
