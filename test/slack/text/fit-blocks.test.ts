import type { KnownBlock } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { blocksLength, fitBlocks, fitGroups } from '../../../src/slack/text/blocks.ts';
import { MESSAGE_BLOCKS_JSON_CHARS } from '../../stand-ins/slack/block-kit/blocks.ts';

const section = (text: string): KnownBlock => ({ type: 'section', text: { type: 'mrkdwn', text } });
const lengthsOf = (blocks: KnownBlock[]) =>
  blocks.map((block) => (block.type === 'section' ? block.text?.text.length : undefined));

describe('the blocks of one message', () => {
  it('lose the ends of the longest texts first', () => {
    const fitting = fitBlocks([
      section('short'),
      ...Array.from({ length: 5 }, () => section('x'.repeat(3_000))),
    ]);
    expect(lengthsOf(fitting)).toEqual([5, 1_500, 1_500, 1_500, 1_500, 1_500]);
  });

  it('are dropped from the end if shortening is not enough', () => {
    const blocks = Array.from({ length: 50 }, (_, index) => section(`${index} ${'"'.repeat(400)}`));
    const fitting = fitBlocks(blocks, 2_000);
    expect(blocksLength(fitting)).toBeLessThanOrEqual(2_000);
    expect(JSON.stringify(fitting[0])).toContain('"0 ');
    expect(fitting.length).toBeGreaterThan(5);
  });

  it('are dropped in whole groups, leaving room for a note on what is left out', () => {
    const groups = Array.from({ length: 10 }, () => [section('x'.repeat(2_900)), section('y')]);
    const { blocks, left } = fitGroups(groups);
    expect([blocks.length, left]).toEqual([6, 7]);
    const note = section(`${'n'.repeat(200)}`);
    expect(blocksLength([...blocks, note])).toBeLessThanOrEqual(MESSAGE_BLOCKS_JSON_CHARS);
    expect(fitGroups(groups.slice(0, 2))).toEqual({ blocks: groups.slice(0, 2).flat(), left: 0 });
  });
});
