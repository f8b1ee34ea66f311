import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clipMrkdwn,
  escapeCode,
  escapedLink,
  escapeMrkdwn,
} from '../../../src/slack/text/escape.ts';
import { wellFormed } from '../../../src/slack/text/limits.ts';
import { anyUrl } from '../../any-text.ts';
import { propertyRuns } from '../../repeatable-properties.ts';
import { mentionsIn } from '../../stand-ins/slack/block-kit/mentions.ts';
import { hostileText } from './hostile-text.ts';
import {
  asSeen,
  decodeEntities,
  emojiIn,
  isWhole,
  linksIn,
  marksIn,
  quotesIn,
} from './mrkdwn-reader.ts';

const seen = (mrkdwn: string) => asSeen(decodeEntities(mrkdwn));
// Without verbatim, Slack looks for names in the text, so this is the harder case.
const inMessage = (text: string) => mentionsIn({ type: 'mrkdwn', text });
// A bare URL shows where it leads, and a color is left as it is.
const HARMLESS = /^(?:link:(?:https?|mailto):|#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$)/i;
const harmIn = (text: string) => inMessage(text).filter((found) => !HARMLESS.test(found));

describe('escapeMrkdwn', () => {
  it('leaves alone what Slack doesn’t format', () => {
    for (const text of ['@2x', 'me@example.com', '#ff0000', '#FFF', '10:30:45', 'C#']) {
      expect(escapeMrkdwn(text)).toBe(text);
    }
    for (const text of ['snake_case_name', '3*4', '5 * 6 ~ 30', 'größe_ä', '日_本']) {
      expect(escapeMrkdwn(text)).toBe(text);
    }
  });

  it('leaves a URL usable', () => {
    const plain = 'see https://example.com/a_b?c=d#e~f';
    expect(escapeMrkdwn(plain)).toBe(plain);
    expect(escapeMrkdwn('https://example.com/_next_/@here')).toBe(
      'https://example.com/%5Fnext%5F/%40here',
    );
    expect(escapeMrkdwn('https://example.com/?a=1&b=2')).toBe('https://example.com/?a=1&amp;b=2');
    // Still a URL where a letter has replaced the backtick.
    const once = escapeMrkdwn('`https://example.com/#z');
    expect([once, escapeMrkdwn(once)]).toEqual(Array(2).fill('\u02cbhttps://example.com/#z'));
  });

  it('mentions nobody and formats nothing, whatever the text', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const escaped = escapeMrkdwn(text);
        expect(harmIn(escaped)).toEqual([]);
        expect(mentionsIn({ type: 'mrkdwn', text: escaped, verbatim: true })).toEqual([]);
        expect(linksIn(escaped)).toEqual([]);
        expect(marksIn(escaped).flat()).toEqual([]);
        expect(emojiIn(escaped)).toEqual([]);
        expect(quotesIn(escaped)).toEqual([]);
        expect(isWhole(escaped)).toBe(true);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('shows the text unchanged, even if escaped twice', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const escaped = escapeMrkdwn(text);
        expect(escapeMrkdwn(decodeEntities(escaped))).toBe(escaped);
        if (!text.includes('http')) expect(seen(escaped)).toBe(asSeen(wellFormed(text)));
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});

describe('escapeCode', () => {
  it('never ends the code around it, nor mentions anyone', () => {
    expect(escapeCode('a `b` ```c``` <d> & *e*')).toBe('a ˋbˋ ˋˋˋcˋˋˋ &lt;d&gt; &amp; *e*');
    expect(inMessage(escapeCode('@here #general'))).toEqual([]);
  });
});

describe('escapedLink', () => {
  it('links http, https, and mailto', () => {
    expect(escapedLink('https://example.com/a?b=1&c=2', 'The shop')).toBe(
      '<https://example.com/a?b=1&amp;c=2|The shop>',
    );
    expect(escapedLink('mailto:ann@example.com', 'Ann')).toBe('<mailto:ann@example.com|Ann>');
    expect(escapedLink('https://example.com', ' ')).toBe('<https://example.com/>');
  });

  it('shows only the label if the URL has another scheme or hides where it leads', () => {
    for (const url of [
      ...'javascript:alert(1) data:text/html,x slack://channel?id=C1 /relative !channel'.split(' '),
      ...'@U0123ABC https://bank.example@evil.example/ https://evil|https://good'.split(' '),
      `https://example.com/${'x'.repeat(3000)}`,
    ]) {
      expect(escapedLink(url, 'a <b>')).toBe('a &lt;b&gt;');
    }
  });

  it('can’t be broken out of', () => {
    expect(escapedLink('https://example.com/a|b>c<d', 'x|y>z\nw')).toBe(
      '<https://example.com/a%7Cb%3Ec%3Cd|x∣y&gt;z w>',
    );
  });

  it('shows the real target if the label names another site', () => {
    const forged = [
      ...'https://good.example www.good.example/login Good.Example good\u200b.example'.split(' '),
      ...'good。example good\u2024example ｇｏｏｄ.example ceo@good.example 10.0.0.1'.split(' '),
      'evil.example.good.example',
    ];
    for (const label of forged) {
      expect(escapedLink('https://evil.example/x', label)).toMatch(/\(evil\.example\)>$/);
    }
    expect(escapedLink('mailto:x@evil.example', 'ceo@good.example')).toContain('(x@evil.example)>');
  });

  it('leaves an honest label alone', () => {
    const honest = 'app.good.example good.example https://app.good.example/x banner.png'.split(' ');
    for (const label of [...honest, 'e.g. this', 'Read more.']) {
      expect(linksIn(escapedLink('https://app.good.example/x', label))[0]?.label).toBe(label);
    }
  });

  it('is one honest link or plain text for any input', () => {
    const url = fc.oneof(
      anyUrl,
      fc
        .constantFrom('https://e.example/', 'mailto:', '')
        .chain((start) => hostileText.map((t) => start + t)),
    );
    fc.assert(
      fc.property(url, hostileText, (target, label) => {
        const link = escapedLink(target, label);
        expect(isWhole(link)).toBe(true);
        expect(marksIn(link).flat()).toEqual([]);
        const [only, ...more] = linksIn(link);
        expect(more).toEqual([]);
        if (only) expect(only.url).toMatch(/^(?:https?:\/\/|mailto:)[^|<>\s]+$/);
        expect(harmIn(link)).toEqual([]);
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});

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
