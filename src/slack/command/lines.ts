import type { KnownBlock } from '@slack/types';
import { blocksLength, NOTE_LENGTH, section } from '../text/blocks.ts';
import { MESSAGE_BLOCKS_MAX, SECTION_TEXT_MAX } from '../text/limits.ts';

const EMPTY_SECTION_LENGTH = blocksLength([section('')]);

/**
 * Lines of mrkdwn, each at most SECTION_TEXT_MAX long, in as few sections as possible.
 *
 * @returns the blocks that fit into one message, and how many lines did not
 */
export function buildLines(lines: readonly string[]): { blocks: KnownBlock[]; left: number } {
  const sections: string[] = [];
  let room = MESSAGE_BLOCKS_MAX - NOTE_LENGTH;
  let shown = 0;
  for (const line of lines) {
    const last = sections.at(-1);
    const fitsLast = last !== undefined && last.length + 1 + line.length <= SECTION_TEXT_MAX;
    // As JSON with quotes, which count for the line feed that joins two lines.
    room -= JSON.stringify(line).length + (fitsLast ? 0 : EMPTY_SECTION_LENGTH);
    if (room < 0) break;
    if (fitsLast) sections[sections.length - 1] = `${last}\n${line}`;
    else sections.push(line);
    shown += 1;
  }
  return { blocks: sections.map(section), left: lines.length - shown };
}
