import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildLines } from '../../../src/slack/command/reference-lists.ts';
import { context } from '../../../src/slack/text/blocks.ts';
import { MESSAGE_BLOCKS_JSON_CHARS } from '../../stand-ins/slack/block-kit/blocks.ts';
import { validateBlocks } from '../../stand-ins/slack/block-kit/validate.ts';

const shownIn = (blocks: ReturnType<typeof buildLines>['blocks']) =>
  blocks.flatMap((block) =>
    block.type === 'section' && block.text ? block.text.text.split('\n') : [],
  );

describe('the lines of a reply', () => {
  it('are all shown or counted, in order, in blocks that Slack accepts', () => {
    const line = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 2_999 });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 40 }), (lines) => {
        const { blocks, left } = buildLines(lines);
        expect(validateBlocks(blocks, 'message')).toEqual([]);
        expect(shownIn(blocks)).toEqual(lines.slice(0, lines.length - left));
        const withNote = [...blocks, context('n'.repeat(200))];
        expect(JSON.stringify(withNote).length).toBeLessThanOrEqual(MESSAGE_BLOCKS_JSON_CHARS);
      }),
    );
  });

  it('use few sections', () => {
    const { blocks, left } = buildLines(Array.from({ length: 1_000 }, () => 'x'.repeat(99)));
    expect(blocks).toHaveLength(4);
    expect(left).toBe(887);
  });
});
