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

  it('formats parts of words, and keeps spaces outside of the marks', () => {
    expect(htmlToMrkdwn('un<b>believ</b>able', LONG)).toBe('un\u200b*believ*\u200bable');
    expect(htmlToMrkdwn('a<b> b </b>c<i> </i>d', LONG)).toBe('a *b* c d');
    expect(htmlToMrkdwn('<b>x<i>y</i></b>', LONG)).toBe('*x*\u200b*_y_*');
  });

  it('is empty if there is nothing to read', () => {
    for (const html of [
      '',
      ' ',
      '<p></p>',
      '<p><br></p>',
      '<p>&nbsp;</p>',
      '<img>',
      '<b>\u200b</b>',
    ]) {
      expect(htmlToMrkdwn(html, LONG)).toBe('');
    }
  });

  it('shows at most one blank line in a row, and none at either end', () => {
    expect(htmlToMrkdwn('<p><br></p><p>a</p><p><br></p><p><br></p><p>b</p><p><br></p>', LONG)).toBe(
      'a\n\nb',
    );
  });

  it('ends with an ellipsis if there are more lines or more text', () => {
    expect(htmlToMrkdwn(CARD, { maxLength: 3000, maxLines: 2 })).toBe(
      '*Spring banner*\nFor *the shop*\u200b: <https://example.com/s?a=1&amp;b=2|see it>.…',
    );
    expect(htmlToMrkdwn('<p>a</p><p>b</p>', { maxLength: 3000, maxLines: 2 })).toBe('a\nb');
    expect(htmlToMrkdwn('<p>a</p><p><br></p>', { maxLength: 3000, maxLines: 1 })).toBe('a');
    expect(htmlToMrkdwn('<b>a</b><p>x <b>bold text</b></p>', { maxLength: 12 })).toBe(
      '*a*\nx bold…',
    );
    expect(htmlToMrkdwn('one &amp; two', { maxLength: 8 })).toBe('one…');
    expect(htmlToMrkdwn('&amp;two', { maxLength: 2 })).toBe('…');
    expect(htmlToMrkdwn('<p>one</p><ul><li>two</li></ul>', { maxLength: 6 })).toBe('one…');
  });

  it('finds the words of a text that starts with much else, as text pasted from Word does', () => {
    const html = `<!--[if gte mso 9]>${'<xml/>'.repeat(5_000)}<![endif]--><p>A banner</p>`;
    expect(htmlToMrkdwn(html, { maxLength: 80 })).toBe('A banner');
  });

  it('shows the label of a link whose URL doesn’t fit', () => {
    const html = `<a href="https://example.com/${'x'.repeat(100)}">the shop</a> and more`;
    expect(htmlToMrkdwn(html, { maxLength: 60 })).toBe('the shop and more');
  });

  it('prevents a link or text from looking like something else', () => {
    expect(htmlToMrkdwn('<a href="https://evil.example">good<b>.example</b></a>', LONG)).toBe(
      '<https://evil.example/|good.example (evil.example)>',
    );
    expect(htmlToMrkdwn('<a href="https://evil|https://good">x</a>', LONG)).toBe('x');
    expect(htmlToMrkdwn('<p>&lt;!channel&gt;</p>', LONG)).toBe('&lt;!channel&gt;');
    expect(htmlToMrkdwn('@<u>here</u> :<a href="x">tada</a>: @<img alt="channel">', LONG)).toBe(
      '@\u2060here :\u2060tada: @\u2060channel',
    );
    expect(htmlToMrkdwn('a:<i>https://x.example</i>', LONG)).toBe('a:\u200b_https://x.example_');
    expect(htmlToMrkdwn('<i>a:</i>:', LONG)).toBe('_a:_\u200b:');
    expect(htmlToMrkdwn('<pre>``` <@U1> ```</pre>', LONG)).toBe('`ˋˋˋ &lt;@\u2060U1&gt; ˋˋˋ`');
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
