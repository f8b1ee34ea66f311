import { expect, test } from 'vitest';
import { validateBlocks } from '../../block-kit/validate.ts';
import { EVERYWHERE, input, option, otherOption, plain } from './examples.ts';
import { problems, problemsWith } from './parts.ts';

const letters = (size: number) => 'x'.repeat(size);

/** Kind of block, where, and how many characters it has at most. */
const TEXTS: [string, string, number][] = [
  ['section', '/text/text', 3000],
  ['section', '/fields/0/text', 2000],
  ['section', '/accessory/alt_text', 2000],
  ['header', '/text/text', 150],
  ['divider', '/block_id', 255],
  ['context', '/elements/1/text', 3000],
  ['image', '/alt_text', 2000],
  ['image', '/title/text', 2000],
  ['input', '/label/text', 2000],
  ['input', '/hint/text', 2000],
  ['input', '/element/initial_value', 3000],
  ['static_select', '/element/placeholder/text', 150],
  ['actions', '/elements/0/action_id', 255],
  ['actions', '/elements/0/text/text', 75],
  ['actions', '/elements/0/value', 2000],
  ['actions', '/elements/0/accessibility_label', 75],
  ['actions', '/elements/0/confirm/title/text', 100],
  ['actions', '/elements/0/confirm/text/text', 300],
  ['actions', '/elements/0/confirm/confirm/text', 30],
  ['actions', '/elements/0/confirm/deny/text', 30],
  ['section with overflow', '/accessory/options/0/text/text', 75],
  ['section with overflow', '/accessory/options/0/value', 75],
  ['static_select', '/element/options/1/text/text', 75],
  ['static_select', '/element/options/1/value', 75],
  ['static_select', '/element/options/1/description/text', 75],
];

test.each(TEXTS)('in %s, %s has at most %i characters', (kind, at, most) => {
  expect(problemsWith(kind, at, letters(most))).toEqual([]);
  expect(problemsWith(kind, at, letters(most + 1))).toEqual([
    [at, `must be less than ${most + 1} characters`],
  ]);
});

test.each([
  ['image', '/image_url'],
  ['actions', '/elements/0/url'],
])('in %s, %s is an address on the web of at most 3,000 characters', (kind, at) => {
  const address = (size: number) => `https://example.com/${letters(size - 20)}`;
  expect(problemsWith(kind, at, address(3000))).toEqual([]);
  expect(problemsWith(kind, at, address(3001))).toEqual([
    [at, 'must be less than 3001 characters'],
  ]);
  for (const url of ['file:///a.png', '/a.png', 'javascript:alert(1)']) {
    expect(problemsWith(kind, at, url)).toEqual([[at, 'must provide a valid URL']]);
  }
});

const text = () => plain('x');
const someOption = (index: number) => ({ text: plain('Text'), value: `v${index}` });

/** Kind of block, the list in it, its items, and how many it has at most. */
const COUNTS: [string, string, (index: number) => object, number][] = [
  ['section', '/fields', text, 10],
  ['context', '/elements', text, 10],
  ['actions', '/elements', () => ({ type: 'button', text: text() }), 25],
  ['section with overflow', '/accessory/options', someOption, 5],
  ['multi_external_select', '/element/initial_options', someOption, 2],
];

test.each(COUNTS)('in %s, %s has at least one item and at most %4$i', (kind, at, item, most) => {
  const of = (size: number) =>
    problemsWith(
      kind,
      at,
      Array.from({ length: size }, (_, index) => item(index)),
    );
  expect(of(0)).toEqual([[at, 'must provide at least 1 items']]);
  expect(of(most)).toEqual([]);
  expect(of(most + 1)).toEqual([[at, `no more than ${most} items allowed`]]);
});

test.each([
  ['static_select', 100],
  ['checkboxes', 10],
])('a %s has at least one option and at most %i', (type, most) => {
  const of = (length: number) =>
    problems(input({ type, options: Array.from({ length }, (_, index) => someOption(index)) }));
  expect(of(0)).toEqual([['/element/options', 'must provide at least 1 items']]);
  expect(of(most)).toEqual([]);
  expect(of(most + 1)).toEqual([['/element/options', `no more than ${most} items allowed`]]);
});

test('a message has at most 50 blocks, and a view 100', () => {
  const surfaces = { message: 50, unfurl: 50, modal: 100, home: 100 } as const;
  for (const [surface, most] of Object.entries(surfaces)) {
    const of = (size: number) =>
      validateBlocks(Array(size).fill(EVERYWHERE.divider), surface as keyof typeof surfaces);
    expect(of(most)).toEqual([]);
    expect(of(most + 1)).toEqual([
      { message: `no more than ${most} items allowed`, pointer: '/blocks' },
    ]);
  }
});

const MATCH = 'must exactly match one of the options';
const LIST = '/elements/1';
const RUNS = '/elements/0/elements';

/** Kind of block, where, what is there, and what Slack says about it. */
const WRONG: [string, string, unknown, string, string?][] = [
  ['input', '/element/max_length', 0, 'must be greater than 1'],
  ['input', '/element/max_length', 3001, 'must be less than 3000'],
  ['file_input', '/element/max_files', 0, 'must be greater than 1'],
  ['file_input', '/element/max_files', 11, 'must be less than 10'],
  ['file_input', '/element/max_files', 1.5, 'must provide an integer'],
  ['rich_text', `${LIST}/indent`, 9, 'must be less than 8'],
  ['rich_text', `${LIST}/offset`, -1, 'must be greater than 0'],
  ['rich_text', `${LIST}/border`, 2, 'must be a valid enum value'],
  ['rich_text', `${LIST}/elements`, [], 'must provide at least 1 items'],
  ['rich_text', '/elements', [], 'must provide at least 1 items'],
  ['rich_text', `${RUNS}/1/text`, '', 'must be more than 0 characters'],
  ['rich_text', `${RUNS}/1/url`, 'javascript:alert(1)', 'must provide a valid URL'],
  ['rich_text', `${RUNS}/6/range`, 'world', 'must be a valid enum value'],
  ['conversations_select', '/element/filter/include', [], 'must provide at least 1 items'],
  ['conversations_select', '/element/filter', {}, 'must define at least one property'],
  ['divider', '/block_id', '\0', 'must be valid UTF-8 without NUL characters'],
  ['header', '/text/emoji', 'yes', 'must be a boolean'],
  ['actions', '/elements', {}, 'must provide an array'],
  ['actions', '/elements/0/style', 'default', 'must be a valid enum value'],
  ['datepicker', '/element/initial_date', '2026-02-30', 'must provide a valid date'],
  ['datepicker', '/element/initial_date', '2026-13-01', 'must provide a valid date'],
  ['static_select', '/element/initial_option', null, 'must provide an object'],
  ['static_select', '/element/initial_option', { text: plain('x'), value: 'x' }, MATCH],
  ['static_select', '/element/initial_option', { ...option, text: plain('graphics') }, MATCH],
  // Without the description of the one offered, or with one that it lacks.
  ['static_select', '/element/initial_option', otherOption, MATCH],
  ['static_select', '/element/initial_option', { ...option, description: text() }, MATCH],
  ['checkboxes', '/element/initial_options/0', otherOption, MATCH],
];

test.each(WRONG)('in %s, %s can’t be %j', (kind, at, value, message) => {
  expect(problemsWith(kind, at, value)).toEqual([[at, message]]);
});

test('other parts are refused where they don’t belong', () => {
  const mrkdwn = { type: 'mrkdwn', text: 'x' };
  const user = { type: 'user', user_id: 'U1' };
  for (const [kind, at, part] of [
    ['header', '/text', mrkdwn],
    ['static_select', '/element/options/1/text', mrkdwn],
    ['section with overflow', '/accessory/options/0/text', mrkdwn],
    ['actions', '/elements/0', plain('x')],
    ['actions', '/elements/0', EVERYWHERE.image],
    ['rich_text', '/elements/0', { type: 'text', text: 'x' }],
    // Not in preformatted text.
    ['rich_text', '/elements/3/elements/0', user],
  ] as const) {
    const message = `unsupported type: ${part.type}`;
    expect(problemsWith(kind, at, part)).toEqual([[`${at}/type`, message]]);
  }
  for (const [kind, at, name, value] of [
    ['section', '/text', 'emoji', true],
    ['header', '/text', 'verbatim', true],
    ['static_select', '/element/options/1', 'url', 'https://example.com'],
    ['external_select', '/element', 'options', [option]],
    ['checkboxes', '/element', 'placeholder', plain('x')],
    ['file_input', '', 'dispatch_action', true],
  ] as const) {
    const message = `invalid additional property: ${name}`;
    expect(problemsWith(kind, `${at}/${name}`, value)).toEqual([[at, message]]);
  }
});

test.each([
  ['header', '/text'],
  ['header', '/text/text'],
  ['image', '/alt_text'],
  ['image', '/image_url'],
  ['input', '/label'],
  ['input', '/element'],
  ['multi_static_select', '/element/options/0/value'],
  ['actions', '/elements/0/confirm/title'],
  ['rich_text', `${LIST}/style`],
])('%s needs %s', (kind, at) => {
  const last = at.lastIndexOf('/');
  expect(problemsWith(kind, at, undefined)).toEqual([
    [at.slice(0, last), `missing required field: ${at.slice(last + 1)}`],
  ]);
});

test.each([
  ['a section without text and fields', { type: 'section' }, '', /define either `text` or `fields/],
  ['a menu without options', input({ type: 'static_select' }), '/element', /missing .*: options/],
  [
    'a menu of which nothing may be chosen',
    input({ type: 'multi_external_select', max_selected_items: 0 }),
    '/element/max_selected_items',
    /must be greater than 1/,
  ],
  ['no object', 'divider', '', /must provide an object/],
  ['null', null, '', /must provide an object/],
  ['a type that is no string', { type: 1 }, '/type', /must provide a string/],
  [
    'two options with one value',
    input({ type: 'static_select', options: [option, option] }),
    '/element/options/1/value',
    /must be unique among the options/,
  ],
  [
    'a text longer than its max_length',
    input({ type: 'plain_text_input', initial_value: letters(11), max_length: 10 }),
    '/element/initial_value',
    /must be less than 11 characters/,
  ],
  [
    'the name of a channel',
    input({ type: 'conversations_select', initial_conversation: '#design' }),
    '/element/initial_conversation',
    /input must match regex pattern: /,
  ],
])('refused: %s', (_, block, pointer, message) => {
  expect(problems(block)).toEqual([[pointer, expect.stringMatching(message)]]);
});

test('an emoji counts as two characters, so that no text is too long for Slack', () => {
  expect(problemsWith('header', '/text/text', '🎨'.repeat(75))).toEqual([]);
  expect(problemsWith('header', '/text/text', '🎨'.repeat(76))).toHaveLength(1);
});

test('blocks are a list, with each block_id and focus once, and each action_id once in a block', () => {
  const found = (...blocks: object[]) => validateBlocks(blocks, 'modal');
  expect(validateBlocks({}, 'message')).toEqual([
    { message: 'must provide an array', pointer: '/blocks' },
  ]);
  const divider = { type: 'divider', block_id: 'same' };
  expect(found(divider, divider)).toEqual([
    { message: '`block_id` "same" already exists', pointer: '/blocks/1/block_id' },
  ]);
  const button = { type: 'button', text: text(), action_id: 'open' };
  const actions = { type: 'actions', elements: [button] };
  expect(found({ ...actions, elements: [button, button] })).toEqual([
    { message: '`action_id` "open" already exists', pointer: '/blocks/0/elements/1/action_id' },
  ]);
  expect(found(actions, actions)).toEqual([]);
  const focused = { type: 'plain_text_input', focus_on_load: true };
  expect(found(input(focused), input(focused, { block_id: 'c' }))).toEqual([
    {
      message: 'only one element can be focused on load',
      pointer: '/blocks/1/element/focus_on_load',
    },
  ]);
});
