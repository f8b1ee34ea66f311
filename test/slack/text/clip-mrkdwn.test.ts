import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clipMrkdwn, escapedLink, escapeMrkdwn } from '../../../src/slack/text/escape.ts';
import { propertyRuns } from '../../repeatable-properties.ts';
import { mentionsIn } from '../../stand-ins/slack/block-kit/mentions.ts';
import { hostileText } from './hostile-text.ts';

const anyPart = fc.oneof(
  hostileText.map(escapeMrkdwn),
  hostileText.map((label) => escapedLink('https://app.example.com/card/1?a=b&c', label)),
  fc.constantFrom('&amp;', '<@U1>', '<!date^1^{date}|2026-05-01>', ' '),
);

describe('shortened mrkdwn', () => {
  it('fits, and splits neither markup nor an entity', () => {
    fc.assert(
      fc.property(fc.array(anyPart), fc.integer({ min: 1, max: 200 }), (parts, max) => {
        const text = parts.join(' ');
        const cut = clipMrkdwn(text, max);
        expect(cut.length).toBeLessThanOrEqual(max);
        expect(cut.replaceAll(/<[^<>]*>/g, '')).not.toMatch(/[<>]/);
        expect(cut.replaceAll(/&(amp|lt|gt);/g, '')).not.toContain('&');
        // A URL in a label may stay, perhaps shorter, since it shows where it leads.
        const mentions = mentionsIn(cut).filter((mention) => !mention.startsWith('link:'));
        for (const mention of mentions) expect(mentionsIn(text)).toContain(mention);
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });

  it.each([
    ['<https://a.example/card/1|Poster> and more', 17, '\u2060Poster and more'],
    ['<https://a.example/card/1|Poster> and more', 10, '\u2060Poster a…'],
    ['Ask <@U0000000001> for more', 12, 'Ask…'],
    ['Black &amp; white', 10, 'Black…'],
    ['short', 5, 'short'],
  ])('%j in %i characters is %j', (text, max, cut) => {
    expect(clipMrkdwn(text, max)).toBe(cut);
  });
});
