import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateBlocks } from '../../../src/sandbox/slack/block-kit/validate.ts';
import { buildLines } from '../../../src/slack/command/lines.ts';

const shownIn = (blocks: ReturnType<typeof buildLines>['blocks']) =>
  blocks.flatMap((block) =>
    block.type === 'section' && block.text ? block.text.text.split('\n') : [],
  );

describe('lines of a reply', () => {
  it('are all there or counted, in their order, in blocks that Slack takes', () => {
    const line = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 2_999 });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 40 }), (lines) => {
        const { blocks, left } = buildLines(lines);
        expect(validateBlocks(blocks, 'message')).toEqual([]);
        expect(shownIn(blocks)).toEqual(lines.slice(0, lines.length - left));
      }),
    );
  });

  it('fill few sections', () => {
    const { blocks, left } = buildLines(Array.from({ length: 1_000 }, () => 'x'.repeat(99)));
    expect(blocks).toHaveLength(4);
    expect(left).toBe(880);
  });
});
