import type { RichTextBlock, RichTextElement } from '@slack/types';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { linesOf } from '../../../src/slack/text/html-lines.ts';
import { type Names, richTextToHtml } from '../../../src/slack/text/rich-text-to-html.ts';
import { propertyRuns } from '../../repeatable-properties.ts';
import { stylesOf } from './mrkdwn-reader.ts';

type Part = RichTextBlock['elements'][number];

const NOBODY: Names = { user: () => 'x', channel: () => 'x' };

const flag = fc.constantFrom(true, undefined);
const style = fc
  .record({ bold: flag, italic: flag, strike: flag, code: flag })
  .map((flags) => Object.fromEntries(Object.entries(flags).filter(([, on]) => on)));
const words = fc
  .array(
    fc.constantFrom(
      ...'word größe 日本 👩‍👩‍👧 <b> &amp; " * :x:'.split(' '),
      '1 < 2',
      ' ',
      '  ',
      '\n',
    ),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((pieces) => `§${pieces.join('')}`);
const element: fc.Arbitrary<RichTextElement> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: words, style }),
  fc.record({
    type: fc.constant('link' as const),
    text: words,
    style,
    url: fc.constantFrom('https://example.com/a?b=1&c=2', 'mailto:ann@example.com'),
  }),
);
const elements = fc.array(element, { minLength: 1, maxLength: 5 });
const section = fc.record({ type: fc.constant('rich_text_section' as const), elements });
const listOf = (start: number) =>
  fc.record({
    type: fc.constant('rich_text_list' as const),
    style: fc.constantFrom('bullet' as const, 'ordered' as const),
    indent: fc.constant(start),
    elements: fc.array(section, { minLength: 1, maxLength: 3 }),
  });
// As Slack's composer nests: each list at most one level deeper than the one before.
const lists = fc
  .tuple(listOf(0), fc.array(fc.nat({ max: 8 }).chain(listOf), { maxLength: 4 }))
  .map(([first, more]) => {
    let indent = 0;
    const nested = more.map((list) => {
      indent = Math.min(list.indent, indent + 1);
      return { ...list, indent };
    });
    return [first, ...nested];
  });
const parts: fc.Arbitrary<Part[]> = fc.oneof(
  section.map((part) => [part]),
  lists,
  fc.record({ type: fc.constant('rich_text_quote' as const), elements }).map((part) => [part]),
  words.map((text): Part[] => [
    { type: 'rich_text_preformatted', elements: [{ type: 'text', text }] },
  ]),
);
const block: fc.Arbitrary<RichTextBlock> = fc
  .array(parts, { minLength: 1, maxLength: 5 })
  .map((groups) => ({ type: 'rich_text', elements: groups.flat() }));

/** Every visible character with its style, its link, and what it is in. */
function inkOf({ elements: all }: RichTextBlock): string[] {
  return all.flatMap((part) => {
    const isList = part.type === 'rich_text_list';
    const isCode = part.type === 'rich_text_preformatted';
    const isQuoted = part.type === 'rich_text_quote';
    const runs = isList ? part.elements.flatMap((item) => item.elements) : part.elements;
    return runs.flatMap((run) => {
      const text = run.type === 'text' || run.type === 'link' ? (run.text ?? '') : '?';
      const styles = { ...run.style, ...(isCode ? { code: true } : {}) };
      return inkOfText(text, styles, run.type === 'link' ? run.url : '', isQuoted);
    });
  });
}

function inkOfText(text: string, styles: object, href: string, isQuoted: boolean): string[] {
  const look = JSON.stringify([href || Object.entries(styles).sort(), isQuoted]);
  return [...text.replace(/\s/g, '')].map((char) => `${char} ${look}`);
}

/** The same for HTML, as this app reads it from cards. A link has one style. */
const inkOfHtml = (html: string): string[] =>
  linesOf(html).flatMap(({ quoted, spans }) =>
    spans.flatMap(({ text, marks, href = '' }) => inkOfText(text, stylesOf(marks), href, quoted)),
  );

it('comes back from its HTML with its text, styles, links, and quotes', () => {
  fc.assert(
    fc.property(block, (typed) => {
      expect(inkOfHtml(richTextToHtml(typed, NOBODY))).toEqual(inkOf(typed));
    }),
    { numRuns: propertyRuns(500) },
  );
});
