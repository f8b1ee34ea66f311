import type { RichTextBlock } from '@slack/types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draftFromMessage, readSharedMessage } from '../../../src/slack/shortcuts/from-message.ts';
import { honestLabel } from '../../../src/slack/text/escape.ts';
import {
  elementsIn,
  type Names,
  richTextToHtml,
} from '../../../src/slack/text/rich-text-to-html.ts';
import { FROM_MESSAGE } from '../../../src/slack/words/shortcuts.ts';
import { propertyRuns } from '../../repeatable-properties.ts';
import { validateView } from '../../stand-ins/slack/block-kit/validate.ts';

const NOBODY: Names = { user: () => 'x', channel: () => 'x' };

/** The description that the form gets from a message, as Slack is asked to show it. */
function descriptionOf(message: unknown) {
  const shared = readSharedMessage(message);
  const files = { attached: [], left: shared.files };
  const place = { channelName: 'general', permalink: 'https://acme.slack.com/archives/C1/p1' };
  const { description } = draftFromMessage(shared, { ...place, files });
  if (description?.type !== 'rich_text') throw new Error('no rich text');
  return description;
}

const problemsOf = (initial_value: object) =>
  validateView({
    type: 'modal',
    title: { type: 'plain_text', text: 'Form' },
    blocks: [
      {
        type: 'input',
        label: { type: 'plain_text', text: 'Description' },
        element: { type: 'rich_text_input', action_id: 'a', initial_value },
      },
    ],
    submit: { type: 'plain_text', text: 'Send' },
  });

/** A word that can be found again: every one that is drawn is counted up by `numbered`. */
const MARK = 'MARK';
const HOSTILE = [
  ...'<!channel> <!here|here> <@U12345678> <https://evil.example|https://bank.example>'.split(' '),
  ...'<javascript:alert(1)|press> * _ ` ``` ~ &gt; &amp; :tada: ** [x](https://evil.example) \\'.split(
    ' ',
  ),
  '> ',
  '\n',
  '\u0000',
  '\ud800',
  '日本',
  '👩‍👩‍👧',
  '<!date^1764058860^{date_short}|then>',
];
const words = fc
  .array(fc.constantFrom(...HOSTILE), { maxLength: 3 })
  .chain((some) =>
    fc.array(fc.constantFrom(' ', ...some), { maxLength: 3 }).map((more) => [some, more]),
  )
  .map(([before = [], after = []]) => `${before.join('')} ${MARK} ${after.join('')}`);
const oneOf = (names: string) => fc.constantFrom(...names.split(' '));
const text = fc.record({
  type: oneOf('plain_text mrkdwn raw_text text_of_the_future'),
  text: words,
});
const upTo = <Value>(maxLength: number, value: fc.Arbitrary<Value>) =>
  fc.array(value, { maxLength });
const web = oneOf('https://example.com/a http://e.org/b?c=d mailto:a@b.example');
const run = fc.oneof(
  fc.record({
    type: fc.constant('text'),
    text: words,
    style: fc.constantFrom({ bold: true }, {}, null),
  }),
  fc.record({ type: fc.constant('link'), url: web, text: words }),
  fc.record({ type: fc.constant('of_the_future'), text: words }),
  fc.record({ type: fc.constant('of_the_future'), label: words, url: web }),
  fc.record({ type: fc.constantFrom('broadcast', 'of_the_future'), range: fc.constant('channel') }),
  fc.constantFrom({ type: 'user', user_id: 'U12345678' }, { type: 'emoji', name: 'tada' }, 5, null),
);
const runs = upTo(3, run);
const section = fc.record({ type: fc.constant('rich_text_section'), elements: runs });
const rich = fc.record({
  type: fc.constant('rich_text'),
  elements: fc.array(
    fc.oneof(
      fc.record({
        type: oneOf('rich_text_section rich_text_quote rich_text_preformatted rich_text_future'),
        elements: runs,
      }),
      fc.record({
        type: fc.constant('rich_text_list'),
        style: oneOf('bullet ordered future'),
        indent: fc.constantFrom(0, 8, 9, -1),
        offset: fc.constantFrom(0, 3, -1, 1.5),
        elements: upTo(3, fc.oneof(section, run)),
      }),
    ),
    { maxLength: 3 },
  ),
});
const image = fc.record({
  type: fc.constant('image'),
  image_url: web,
  alt_text: words,
  title: text,
});
const control = fc.record({
  type: oneOf('button static_select overflow checkboxes menu_of_the_future datepicker'),
  text: fc.constant({ type: 'plain_text', text: 'Press' }),
  options: upTo(2, fc.constant({ text: 'One', value: 'v' })),
});
const name = oneOf(
  'title headline subtitle body caption question parts items child_blocks content',
);
const { block } = fc.letrec<{ block: unknown }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 4 },
    rich,
    image,
    fc.record({
      type: fc.constant('section'),
      text,
      fields: upTo(2, text),
      accessory: fc.oneof(image, control),
    }),
    fc.record({ type: oneOf('header alert markdown'), text }),
    fc.record({ type: oneOf('context carousel future'), elements: upTo(2, fc.oneof(text, image)) }),
    fc.record({ type: oneOf('actions context_actions'), elements: upTo(2, control) }),
    fc.record({
      type: oneOf('table data_table'),
      caption: words,
      rows: upTo(2, upTo(2, fc.oneof(text, rich))),
    }),
    fc.record({
      type: fc.constant('video'),
      video_url: web,
      title: text,
      description: text,
      author_name: words,
    }),
    fc.record({ type: fc.constant('input'), label: text, hint: text, element: control }),
    fc
      .tuple(
        oneOf('card container plan task_card call of_the_future'),
        fc.dictionary(
          name,
          fc.oneof(words, text, rich, image, tie('block'), upTo(2, tie('block'))),
          { maxKeys: 4 },
        ),
      )
      .map(([type, parts]) => ({ ...parts, type })),
    fc.constant({ type: 'divider' }),
  ),
}));
const file = fc.record({ id: fc.uuid(), name: words, permalink: web });
const attachment = fc.oneof(
  fc.record({
    pretext: words,
    author_name: words,
    title: words,
    title_link: web,
    text: words,
    fields: upTo(2, fc.record({ title: words, value: words })),
    actions: upTo(1, control),
    footer: words,
    image_url: web,
    ts: fc.constantFrom('1764058860.1', 5, 'x'),
  }),
  fc.record({ fallback: words }),
  fc.record({ blocks: upTo(3, block) }),
  fc.record({
    is_share: fc.constant(true),
    from_url: web,
    files: upTo(1, file),
    message_blocks: upTo(2, fc.record({ message: fc.record({ blocks: upTo(2, block) }) })),
    attachments: upTo(1, fc.record({ text: words })),
  }),
);
const message = fc.record({
  user: fc.constantFrom('U12345678', undefined, 'x'),
  bot_id: fc.constantFrom('B1', undefined),
  blocks: upTo(4, block),
  attachments: upTo(3, attachment),
  files: upTo(3, file),
});

/** The message with a number at each marker, and how many there are. */
function numbered(posted: unknown): { posted: unknown; count: number } {
  let count = 0;
  const json = JSON.stringify(posted).replaceAll(MARK, () => `${MARK}${count++}x`);
  return { posted: JSON.parse(json), count };
}

/** A list of one, in which there is such a list, two hundred deep. */
const nested = (around: (inner: object[]) => object) =>
  Array(200)
    .fill(0)
    .reduce<object[]>((inner) => [around(inner)], []);

describe('A message of any content', () => {
  it('arrives word by word in the form and at the service, whatever else can’t be read of it', () => {
    fc.assert(
      fc.property(message, (drawn) => {
        const { posted, count } = numbered(drawn);
        const description: RichTextBlock = JSON.parse(JSON.stringify(descriptionOf(posted)));
        const shown = JSON.stringify(description);
        if (shown.includes(FROM_MESSAGE.cut)) return;
        const html = richTextToHtml(description, NOBODY);
        const missing = Array.from({ length: count }, (_, at) => `${MARK}${at}x`).filter(
          (mark) => !shown.includes(mark) || !html.includes(mark),
        );
        expect(missing).toEqual([]);
      }),
      { numRuns: propertyRuns(1_000) },
    );
  });

  it('arrives whole if it contains nothing but text', () => {
    fc.assert(
      fc.property(words, (drawn) => {
        const { posted } = numbered({ text: drawn });
        expect(JSON.stringify(descriptionOf(posted))).toContain(`${MARK}0x`);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('becomes a field that Slack accepts, without mentions of many or forged links', () => {
    fc.assert(
      fc.property(fc.oneof(message, fc.jsonValue(), fc.object()), (drawn) => {
        const description: RichTextBlock = JSON.parse(JSON.stringify(descriptionOf(drawn)));
        expect(problemsOf(description)).toEqual([]);
        for (const element of description.elements.flatMap(elementsIn)) {
          expect(element.type).not.toBe('broadcast');
          const { url, text: label = '' } = element.type === 'link' ? element : { url: 'https:' };
          expect(url).toMatch(/^(https?|mailto):/);
          if (label) expect(label).toBe(honestLabel(url, label));
        }
      }),
      { numRuns: propertyRuns(1_000) },
    );
  });

  it.each([
    ['in no list', { files: { id: 'F1', name: 'a.png' } }],
    ['as messages of earlier years have it', { file: { id: 'F1', name: 'a.png' } }],
  ])('arrives with its file %s', (_what, posted) => {
    expect(readSharedMessage(posted).files).toMatchObject([{ id: 'F1', name: 'a.png' }]);
  });

  it.each([
    ['a text of marks', { text: '*_~`<:'.repeat(100_000) }],
    ['a text of quotes and fences', { text: '> ```\n'.repeat(100_000) }],
    ['very many blocks', { blocks: Array(50_000).fill({ type: 'of_the_future' }) }],
    ['a long label', { attachments: [{ title: 't'.repeat(30_000), title_link: 'https://e.com' }] }],
    ['very many files', { files: Array(5_000).fill({ name: 'n'.repeat(200) }) }],
    [
      'blocks in blocks',
      { blocks: nested((inner) => ({ type: 'container', child_blocks: inner })) },
    ],
    [
      'rich text in rich text',
      {
        blocks: [
          {
            type: 'rich_text',
            elements: nested((inner) => ({ type: 'rich_text_future', elements: inner })),
          },
        ],
      },
    ],
    ['attachments in attachments', { attachments: nested((inner) => ({ attachments: inner })) }],
  ])('fits into the field if it is %s', (_what, posted) => {
    const description = descriptionOf(posted);
    expect(problemsOf(description)).toEqual([]);
    expect(Buffer.byteLength(JSON.stringify(description))).toBeLessThan(100_000);
  });
});

it('a time or a value that is none is read as none', () => {
  for (const odd of [{ valueOf: 1, toString: 1 }, null, true, '', [], {}]) {
    const date = { type: 'date', format: '{date_long}', timestamp: odd };
    const message = {
      blocks: [
        { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [date] }] },
        { type: 'table', rows: [[{ type: 'raw_text', text: odd, value: odd }]] },
      ],
    };
    expect(JSON.stringify(descriptionOf(message))).not.toMatch(/1970|object Object/);
  }
});
