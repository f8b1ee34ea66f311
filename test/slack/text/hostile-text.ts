import fc from 'fast-check';
import { anyCharacter } from '../../any-text.ts';

const SEQUENCES = [
  ...'<!channel> &lt;!channel&gt; &amp;lt;!here&amp;gt; <!everyone|x> <@U0123ABC>'.split(' '),
  ...'&lt;@U0123ABC&gt; <#C0123ABC|general> <!subteam^S0123ABC> @here @channel @everyone'.split(
    ' ',
  ),
  ...'<!date^0^{date}^https://evil.example|x> <https://evil.example|https://good.example>'.split(
    ' ',
  ),
  ...'&lt;https://evil.example|good.example&gt; https://a.example/_x_/*y*?q=1&r=2#z'.split(' '),
  ...'#general *bold* :tada: mailto:a@b.example &#0; &#8238; &#x2066; &nbsp; &amp; & |'.split(' '),
  '_it_ ~no~ `code` ```fence```',
  '\uff0awide\uff0a \uff3fwide\uff3f',
  '> quote',
  '&gt; quote',
  '\uff1e quote',
  'snake_case 3*4 5 * 6',
  '\ud800',
  '\udc00x',
  '\0',
  '\u202e',
  '\u0007\u009f',
  '\u200b*x*\u200b',
  '👩‍👩‍👧‍👦',
  'e\u0301\u0301\u0301',
  '\n',
  '\r\n',
  '   ',
  '\t',
];

/** Text that invites misreading: control sequences, formatting, invisible characters, and ordinary words. */
export const hostileText = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...SEQUENCES) },
      { weight: 2, arbitrary: fc.constantFrom('a', 'word', 'Größe', '日本語', '1', ' ', '. ') },
      { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 12 }) },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
    ),
    { maxLength: 14 },
  )
  .map((pieces) => pieces.join(''));

// Texts that become something only when joined.
const SPLIT = [
  ...'@<u>here</u> :<u>tada</u>: *<u>x</u>* <u>https:</u>//x.example/_y_ @<wbr>channel'.split(' '),
  '#<a href=x>general</a>',
  '@<!-- -->here',
];

const HREFS = [
  ...'https://good.example/a?b=1&c=2 https://evil|https://good https://user:pass@evil.example'.split(
    ' ',
  ),
  ...'javascript:alert(1) mailto:a@b.example /relative http://[bad'.split(' '),
  ' https://evil.example/>x',
  `https://long.example/${'x'.repeat(400)}`,
];

const TAGS =
  'p div b strong i em s u code a ul ol li blockquote pre h1 h3 table tr td th br img span hr custom svg script style template title head noscript textarea';

const tag = fc
  .tuple(
    fc.constantFrom(...TAGS.split(' ')),
    fc.constantFrom('', '/'),
    fc.constantFrom(
      ...HREFS.map((href) => ` href="${href}" src="${href}" alt="<!here> *alt*"`),
      ' start="7"',
      ' style="font-weight:normal"',
      ' style="font-weight: 700; text-decoration: underline"',
      '',
      '',
      '',
    ),
    fc.constantFrom('>', '>', '>', ' />', ''),
  )
  .map(([name, slash, attributes, end]) => `<${slash}${name}${slash ? '' : attributes}${end}`);

/** Tags in any order, opened and closed or not, around hostile text. */
const tagSoup = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: tag },
      { weight: 1, arbitrary: fc.constantFrom(...SPLIT) },
      { weight: 2, arbitrary: hostileText },
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(''));

/** All kinds of HTML: tag soup, text without tags, and deep nesting. */
export const anyHtml = fc.oneof(
  { weight: 6, arbitrary: tagSoup },
  { weight: 2, arbitrary: hostileText },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('<ul><li>', '<blockquote>', '<b>', '<a href=https://x.example>', '<td>'),
        fc.integer({ min: 1, max: 400 }),
        hostileText,
      )
      .map(([open, times, text]) => open.repeat(times) + text),
  },
);
