import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { htmlToMrkdwn } from '../../../src/slack/text/html-to-mrkdwn.ts';
import { isBlank } from '../../../src/slack/text/limits.ts';
import { propertyRuns } from '../../repeatable-properties.ts';
import { mentionsIn } from '../../stand-ins/slack/block-kit/mentions.ts';
import { validateBlocks } from '../../stand-ins/slack/block-kit/validate.ts';
import { anyHtml } from './hostile-text.ts';
import { emojiIn, isWhole, linksIn, marksAreClosed } from './mrkdwn-reader.ts';

// A link shows where it leads, and a color is left as it is.
const HARMLESS = /^(?:link:(?:https?|mailto):|#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$)/i;
const LONG = { maxLength: 3000 };
const CARD =
  '<h2>Spring banner</h2><p>For <strong>the shop</strong>: <a href="https://example.com/s?a=1&amp;b=2">see it</a>.</p>' +
  '<ol><li>web<ul><li>300x200</li></ul></li><li>print</li></ol><blockquote>soon</blockquote><pre>a\n b</pre>';

describe('htmlToMrkdwn', () => {
  it('writes what Slack can show', () => {
    expect(htmlToMrkdwn(CARD, LONG)).toBe(
      [
        '*Spring banner*',
        'For *the shop*\u200b: <https://example.com/s?a=1&amp;b=2|see it>.',
        '1. web',
        '    ◦ 300x200',
        '2. print',
        '> soon',
        '`a`',
        ' `b`',
      ].join('\n'),
    );
  });

  it.each<
    [what: string, html: string, mrkdwn: string, limits?: { maxLength: number; maxLines?: number }]
  >([
    ['parts of words', 'un<b>believ</b>able', 'un\u200b*believ*\u200bable'],
    ['spaces at marks', 'a<b> b </b>c<i> </i>d', 'a *b* c d'],
    ['marks in marks', '<b>x<i>y</i></b>', '*x*\u200b*_y_*'],
    ...['', ' ', '<p></p>', '<p><br></p>', '<p>&nbsp;</p>', '<img>', '<b>\u200b</b>'].map(
      (html): [string, string, string] => ['nothing to read', html, ''],
    ),
    ['blank lines', '<p><br></p><p>a</p><p><br></p><p><br></p><p>b</p><p><br></p>', 'a\n\nb'],
    [
      'more lines',
      CARD,
      '*Spring banner*\nFor *the shop*\u200b: <https://example.com/s?a=1&amp;b=2|see it>.…',
      { maxLength: 3000, maxLines: 2 },
    ],
    ['as many lines', '<p>a</p><p>b</p>', 'a\nb', { maxLength: 3000, maxLines: 2 }],
    ['a line and a blank one', '<p>a</p><p><br></p>', 'a', { maxLength: 3000, maxLines: 1 }],
    ['more text', '<b>a</b><p>x <b>bold text</b></p>', '*a*\nx bold…', { maxLength: 12 }],
    ['an entity at the end', 'one &amp; two', 'one…', { maxLength: 8 }],
    ['no room for an entity', '&amp;two', '…', { maxLength: 2 }],
    ['no room for a line', '<p>one</p><ul><li>two</li></ul>', 'one…', { maxLength: 6 }],
    [
      'a link whose URL doesn’t fit',
      `<a href="https://example.com/${'x'.repeat(100)}">the shop</a> and more`,
      'the shop and more',
      { maxLength: 60 },
    ],
    [
      'a label that names another site',
      '<a href="https://evil.example">good<b>.example</b></a>',
      '<https://evil.example/|good.example (evil.example)>',
    ],
    ['an address that isn’t one', '<a href="https://evil|https://good">x</a>', 'x'],
    ['an escaped mention', '<p>&lt;!channel&gt;</p>', '&lt;!channel&gt;'],
    [
      'mentions in pieces',
      '@<u>here</u> :<a href="x">tada</a>: @<img alt="channel">',
      '@\u2060here :\u2060tada: @\u2060channel',
    ],
    ['an address after a colon', 'a:<i>https://x.example</i>', 'a:\u200b_https://x.example_'],
    ['a colon after marks', '<i>a:</i>:', '_a:_\u200b:'],
    ['code in code', '<pre>``` <@U1> ```</pre>', '`ˋˋˋ &lt;@\u2060U1&gt; ˋˋˋ`'],
  ])('writes %s: %j', (_what, html, mrkdwn, limits = LONG) => {
    expect(htmlToMrkdwn(html, limits)).toBe(mrkdwn);
  });

  it('finds the words of a text that starts with much else, as text pasted from Word does', () => {
    const html = `<!--[if gte mso 9]>${'<xml/>'.repeat(5_000)}<![endif]--><p>A banner</p>`;
    expect(htmlToMrkdwn(html, { maxLength: 80 })).toBe('A banner');
  });

  it('respects its limits, is well formed, and mentions nobody, for any HTML', () => {
    const maxLength = fc.oneof(fc.integer({ min: 1, max: 80 }), fc.constant(3000));
    fc.assert(
      fc.property(anyHtml, maxLength, fc.integer({ min: 1, max: 6 }), (html, length, maxLines) => {
        const text = htmlToMrkdwn(html, { maxLength: length, maxLines });
        expect(text.length).toBeLessThanOrEqual(length);
        expect(text.split('\n').length).toBeLessThanOrEqual(maxLines);
        expect(isWhole(text)).toBe(true);
        expect(marksAreClosed(text)).toBe(true);
        for (const { url } of linksIn(text)) expect(url).toMatch(/^(?:https?:\/\/|mailto:)/);
        for (const verbatim of [true, false]) {
          const found = mentionsIn({ type: 'mrkdwn', text, verbatim });
          expect(found.filter((mention) => !HARMLESS.test(mention))).toEqual([]);
        }
        expect(emojiIn(text)).toEqual([]);
        if (text === '') return;
        expect(isBlank(text)).toBe(false);
        const blocks = [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }];
        expect(validateBlocks(blocks, 'unfurl')).toEqual([]);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('shortens only what is too long: with enough room, the same words come without an ellipsis', () => {
    fc.assert(
      fc.property(anyHtml, (html) => {
        const whole = htmlToMrkdwn(html, { maxLength: 100_000 });
        expect(htmlToMrkdwn(html, { maxLength: Math.max(whole.length, 1) })).toBe(whole);
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});
