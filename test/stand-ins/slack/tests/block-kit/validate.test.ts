import { expect, test } from 'vitest';
import { validateBlocks, validateUnfurl, validateView } from '../../block-kit/validate.ts';
import { isObject } from '../../json.ts';
import {
  CLICKED,
  EVERYWHERE,
  input,
  KINDS,
  modalWith,
  NOT_IN_UNFURLS,
  option,
  otherOption,
  plain,
  richText,
  TYPED,
} from './examples.ts';

type Problems = readonly { pointer: string }[];
type Json = Record<string, unknown>;

const SURFACES = ['message', 'unfurl', 'modal', 'home'] as const;
const letters = (size: number) => 'x'.repeat(size);
const pointersOf = (problems: Problems) => problems.map(({ pointer }) => pointer);

/** Where a block in a modal is wrong, below the block. */
const wrongIn = (block: unknown) =>
  pointersOf(validateBlocks([block], 'modal')).map((at) => at.slice('/blocks/0'.length));

/** Where a block of this kind is wrong if it has this value at this pointer. */
const wrongWith = (kind: string, at: string, value: unknown) =>
  wrongIn(replaced(KINDS[kind], at.split('/').slice(1), value));

function objectsOf(node: unknown, at = ''): { object: Json; at: string }[] {
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.entries(node).flatMap(([name, value]) => objectsOf(value, `${at}/${name}`));
  return isObject(node) ? [{ object: node, at }, ...below] : below;
}

/** A copy of the payload with another value there. */
function replaced(node: unknown, [name, ...rest]: string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(node))
    return node.with(Number(name), replaced(node[Number(name)], rest, value));
  const object: Json = { ...Object(node) };
  return { ...object, [name]: replaced(object[name], rest, value) };
}

test.for(Object.entries(KINDS))('%s is accepted only as it is', ([kind, block]) => {
  const { block_id: _id, ...unnamed } = { block_id: '', ...block };
  expect(validateView(modalWith(unnamed, unnamed))).toEqual([]);
  for (const { object, at } of objectsOf(block)) {
    for (const name of ['surprise', 'toString', 'constructor']) {
      expect(wrongWith(kind, `${at}/${name}`, true)).toContain(at);
    }
    if (typeof object.type === 'string') {
      for (const type of ['marquee', 'constructor', undefined]) {
        expect(wrongWith(kind, `${at}/type`, type)).toContain(`${at}/type`);
      }
    }
    if (typeof object.text !== 'string') continue;
    for (const text of ['', 'a\0b', 'a\ud83cb', 5, null]) {
      expect(wrongWith(kind, `${at}/text`, text)).toContain(`${at}/text`);
    }
  }
});

test.for(SURFACES)('where a block may be: %s', (surface) => {
  for (const [type, block] of Object.entries({ ...EVERYWHERE, ...NOT_IN_UNFURLS })) {
    const isRefused = surface === 'unfurl' && type in NOT_IN_UNFURLS;
    const expected = isRefused ? ['/blocks/0/type'] : [];
    expect(pointersOf(validateBlocks([block], surface))).toEqual(expected);
  }
  for (const [type, element] of Object.entries(TYPED)) {
    if (type === 'plain_text_input' || surface === 'modal' || surface === 'unfurl') continue;
    const found = validateBlocks([input(element)], surface);
    expect(pointersOf(found)).toEqual(['/blocks/0/element/type']);
  }
  const many = (size: number) => validateBlocks(Array(size).fill(EVERYWHERE.divider), surface);
  const most = surface === 'modal' || surface === 'home' ? 100 : 50;
  expect(many(most)).toEqual([]);
  expect(pointersOf(many(most + 1))).toEqual(['/blocks']);
});

test.for<[kind: string, at: string, most: number]>([
  ['section', '/text/text', 3000],
  ['section', '/fields/0/text', 2000],
  ['section', '/accessory/alt_text', 2000],
  ['header', '/text/text', 150],
  ['context', '/elements/1/text', 3000],
  ['image', '/alt_text', 2000],
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
  ['static_select', '/element/options/1/text/text', 75],
  ['static_select', '/element/options/1/value', 75],
  ['static_select', '/element/options/1/description/text', 75],
])('in %s, %s has at most %i characters', ([kind, at, most]) => {
  expect(wrongWith(kind, at, letters(most))).toEqual([]);
  expect(wrongWith(kind, at, letters(most + 1))).toEqual([at]);
});

const text = () => plain('x');
const someOption = (index: number) => ({ text: plain('Text'), value: `v${index}` });

test.for<[kind: string, at: string, most: number, item: (index: number) => object]>([
  ['section', '/fields', 10, text],
  ['context', '/elements', 10, text],
  ['actions', '/elements', 25, () => ({ type: 'button', text: text() })],
  ['section with overflow', '/accessory/options', 5, someOption],
  ['checkboxes with none chosen', '/element/options', 10, someOption],
  ['static_select with none chosen', '/element/options', 100, someOption],
  ['multi_external_select', '/element/initial_options', 2, someOption],
])('in %s, %s has at least one item and at most %i', ([kind, at, most, item]) => {
  const of = (length: number) =>
    wrongWith(
      kind,
      at,
      Array.from({ length }, (_, index) => item(index)),
    );
  expect(of(most)).toEqual([]);
  expect(of(0)).toEqual([at]);
  expect(of(most + 1)).toHaveLength(1);
});

const mrkdwn = { type: 'mrkdwn', text: 'x' };
const LIST = '/elements/1';
const RUNS = '/elements/0/elements';
const OF_MENU = '/element/initial_option';

/** Kind of block, where, what is there, and what Slack's pointer is, if it is another. */
test.for<[kind: string, at: string, value: unknown, pointer?: string]>([
  ['image', '/image_url', 'file:///a.png'],
  ['image', '/image_url', '/a.png'],
  ['image', '/image_url', `https://example.com/${letters(2981)}`],
  ['actions', '/elements/0/url', 'javascript:alert(1)'],
  ['input', '/element/max_length', 0],
  ['input', '/element/max_length', 3001],
  ['plain_text_input', '/element/max_length', 12, '/element'],
  ['file_input', '/element/max_files', 0],
  ['file_input', '/element/max_files', 11],
  ['file_input', '/element/max_files', 1.5],
  ['external_select', '/element/min_query_length', -1],
  ['rich_text', `${LIST}/indent`, 9],
  ['rich_text', `${LIST}/offset`, -1],
  ['rich_text', `${LIST}/elements`, []],
  ['rich_text', '/elements', []],
  ['rich_text', `${RUNS}/1/text`, ''],
  ['rich_text', `${RUNS}/1/url`, 'javascript:alert(1)'],
  ['conversations_select', '/element/filter/include', []],
  ['conversations_select', '/element/filter', {}],
  ['conversations_select', '/element/initial_conversation', '#design'],
  ['divider', '/block_id', '\0'],
  ['header', '/text/emoji', 'yes'],
  // An emoji counts as two characters, so that no text is too long for Slack.
  ['header', '/text/text', '🎨'.repeat(76)],
  ['actions', '/elements', {}],
  ['actions', '/elements/0/style', 'default'],
  ['datepicker', '/element/initial_date', '2026-02-30'],
  ['static_select', OF_MENU, null],
  ['static_select', OF_MENU, { text: plain('x'), value: 'x' }, '/element'],
  ['static_select', OF_MENU, { ...option, text: plain('graphics') }, '/element'],
  // Without the description of the one offered, or with one that it lacks.
  ['static_select', OF_MENU, otherOption, '/element'],
  ['static_select', OF_MENU, { ...option, description: text() }, '/element'],
  [
    'static_select with none chosen',
    '/element/options',
    [option, option],
    '/element/options/1/value',
  ],
  ['checkboxes', '/element/initial_options/0', otherOption, '/element'],
  // Parts that don't belong there.
  ['header', '/text', mrkdwn, '/text/type'],
  ['static_select', '/element/options/1/text', mrkdwn, '/element/options/1/text/type'],
  ['section with overflow', '/accessory/options/0/text', mrkdwn, '/accessory/options/0/text/type'],
  ['actions', '/elements/0', plain('x'), '/elements/0/type'],
  ['actions', '/elements/0', EVERYWHERE.image, '/elements/0/type'],
  ...Object.values(TYPED).map((one): [string, string, object, string] => [
    'actions',
    '/elements/0',
    one,
    '/elements/0/type',
  ]),
  ...Object.values(CLICKED).flatMap((one): [string, string, object, string][] => [
    ['input', '/element', one, '/element/type'],
    ['context', '/elements/0', one, '/elements/0/type'],
  ]),
  ['rich_text', '/elements/0', { type: 'text', text: 'x' }, '/elements/0/type'],
  // It would notify everyone, and the app sends none.
  ['rich_text', `${RUNS}/0`, { type: 'broadcast', range: 'here' }, `${RUNS}/0/type`],
  // Not in preformatted text.
  [
    'rich_text',
    '/elements/3/elements/0',
    { type: 'user', user_id: 'U1' },
    '/elements/3/elements/0/type',
  ],
  ['section', '/text/emoji', true, '/text'],
  ['header', '/text/verbatim', true, '/text'],
  ['static_select', '/element/options/1/url', 'https://example.com', '/element/options/1'],
  ['external_select', '/element/options', [option], '/element'],
  ['checkboxes', '/element/placeholder', plain('x'), '/element'],
  ['file_input', '/dispatch_action', true],
  // What is needed.
  ['header', '/text', undefined],
  ['header', '/text/text', undefined],
  ['image', '/alt_text', undefined],
  ['image', '/image_url', undefined],
  ['input', '/label', undefined],
  ['input', '/element', undefined],
  ['static_select with none chosen', '/element/options', undefined],
  ['multi_static_select', '/element/options/0/value', undefined],
  ['actions', '/elements/0/confirm/title', undefined],
  ['rich_text', `${LIST}/style`, undefined],
])('in %s, %s can’t be %j', ([kind, at, value, pointer = at]) => {
  expect(new Set(wrongWith(kind, at, value))).toEqual(new Set([pointer]));
});

const { divider } = EVERYWHERE;
const modal = modalWith(divider);
const home = { type: 'home', blocks: [divider], private_metadata: '{}', callback_id: 'home' };
const field = input({ type: 'plain_text_input' });
const button = { type: 'button', text: text(), action_id: 'open' };
const focused = input({ type: 'plain_text_input', focus_on_load: true });

test.for<[what: string, view: unknown, pointer: string]>([
  ['nothing', null, ''],
  ['a list', [], ''],
  ['a view without a type', { blocks: [] }, '/type'],
  ['a workflow step', { type: 'workflow_step' }, '/type'],
  ['no title', { ...modal, title: undefined }, '/title'],
  ['no blocks', { ...modal, blocks: undefined }, '/blocks'],
  ['blocks that are no list', { ...modal, blocks: {} }, '/blocks'],
  ['a title in mrkdwn', { ...modal, title: mrkdwn }, '/title/type'],
  ['an input without a submit button', { ...modal, submit: undefined, blocks: [field] }, ''],
  ['a section without text and fields', modalWith({ type: 'section' }), '/blocks/0'],
  ['a block that is no object', modalWith('divider'), '/blocks/0'],
  ['one block_id twice', modalWith(field, field), '/blocks/1/block_id'],
  [
    'one action_id twice in a block',
    modalWith({ type: 'actions', elements: [button, button] }),
    '/blocks/0/elements/1/action_id',
  ],
  ['two with the focus', modalWith(focused, { ...focused, block_id: 'c' }), '/blocks'],
  ...['submit_disabled', 'id', 'state', 'hash'].map((name): [string, object, string] => [
    `${name} in a modal`,
    { ...modal, [name]: text() },
    '',
  ]),
  ...['title', 'submit', 'close', 'clear_on_close'].map((name): [string, object, string] => [
    `${name} in a home tab`,
    { ...home, [name]: text() },
    '',
  ]),
  ...['title', 'submit', 'close'].map((name): [string, object, string] => [
    `${name} over 24 letters`,
    { ...modal, [name]: plain(letters(25)) },
    `/${name}/text`,
  ]),
  ['metadata over 3,000', { ...modal, private_metadata: letters(3001) }, '/private_metadata'],
  ['a callback_id over 255', { ...modal, callback_id: letters(256) }, '/callback_id'],
])('refused as a view: %s', ([, view, pointer]) => {
  expect(pointersOf(validateView(view))).toEqual([`/view${pointer}`]);
});

const unfurl = {
  blocks: Object.values(EVERYWHERE),
  preview: { title: plain('Spring banner'), subtitle: plain('In review') },
};

test('what is at its limit is accepted', () => {
  const longest = plain(letters(24));
  const titles = { title: longest, submit: longest, close: longest };
  const rest = { private_metadata: letters(3000), callback_id: letters(255) };
  const two = { type: 'actions', elements: [button] };
  for (const view of [
    { ...modal, ...titles, ...rest },
    { ...modal, submit: undefined },
    { ...home, blocks: [field] },
    modalWith(two, two),
  ]) {
    expect(validateView(view)).toEqual([]);
  }
  for (const color of ['good', 'warning', 'danger', '#a1b2c3', 'A1B2C3', '#439FE0']) {
    expect(validateUnfurl({ ...unfurl, color })).toEqual([]);
  }
  const section = (words: string) => ({ type: 'section', text: plain(words) });
  const cyrillic = Array.from({ length: 41 }, () => section('ж'.repeat(3000)));
  const padded = (size: number) => modalWith(...cyrillic, section(letters(size)));
  const bare = Buffer.byteLength(JSON.stringify(padded(1))) - 1;
  expect(validateView(padded(250_000 - bare))).toEqual([]);
  expect(pointersOf(validateView(padded(250_001 - bare)))).toEqual(['/view']);
});

test.for<[what: string, value: unknown, pointer: string]>([
  ['no object', 'card', ''],
  ['no blocks', { color: 'good' }, '/blocks'],
  ['rich text', { blocks: [richText] }, '/blocks/0/type'],
  ['a preview in mrkdwn', { ...unfurl, preview: { title: mrkdwn } }, '/preview/title/type'],
  ...['is_app_unfurl', 'app_id', 'actions', 'colour', 'text', 'image_url'].map(
    (name): [string, object, string] => [name, { ...unfurl, [name]: 'x' }, ''],
  ),
  ...['red', '#12345', '##123456', '', '#a1b2c3d4'].map((color): [string, object, string] => [
    `color "${color}"`,
    { ...unfurl, color },
    '/color',
  ]),
])('refused as an unfurl: %s', ([, value, pointer]) => {
  expect(pointersOf(validateUnfurl(value))).toEqual([pointer]);
});
