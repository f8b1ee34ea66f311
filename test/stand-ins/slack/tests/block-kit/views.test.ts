import { expect, test } from 'vitest';
import { validateUnfurl, validateView } from '../../block-kit/validate.ts';
import { EVERYWHERE, input, modalWith, plain, richText } from './examples.ts';

const { divider } = EVERYWHERE;
const letters = (size: number) => 'x'.repeat(size);
const modal = modalWith(divider);
const home = { type: 'home', blocks: [divider], private_metadata: '{}', callback_id: 'home' };
const unfurl = {
  blocks: Object.values(EVERYWHERE),
  color: '#439FE0',
  preview: { title: plain('Spring banner'), subtitle: plain('In review') },
};

test.each([
  ['title', 24, '/title/text', (n: number) => ({ title: plain(letters(n)) })],
  ['submit button', 24, '/submit/text', (n: number) => ({ submit: plain(letters(n)) })],
  ['close button', 24, '/close/text', (n: number) => ({ close: plain(letters(n)) })],
  ['metadata', 3000, '/private_metadata', (n: number) => ({ private_metadata: letters(n) })],
  ['callback_id', 255, '/callback_id', (n: number) => ({ callback_id: letters(n) })],
])('a modal has a %s of at most %i characters', (_, most, pointer, part) => {
  expect(validateView({ ...modal, ...part(most) })).toEqual([]);
  expect(validateView({ ...modal, ...part(most + 1) })).toEqual([
    { message: `must be less than ${most + 1} characters`, pointer: `/view${pointer}` },
  ]);
});

test('a modal with an input has a submit button; a home tab needs none', () => {
  const blocks = [input({ type: 'plain_text_input' })];
  expect(validateView({ ...modal, submit: undefined })).toEqual([]);
  expect(validateView({ ...modal, submit: undefined, blocks })).toEqual([
    { message: 'missing required field: submit', pointer: '/view' },
  ]);
  expect(validateView({ ...home, blocks })).toEqual([]);
});

const twice = input({ type: 'plain_text_input' });

test.each([
  ['nothing', null, 'must provide an object', '/view'],
  ['a list', [], 'must provide an object', '/view'],
  ['a view without a type', { blocks: [] }, 'missing required field: type', '/view'],
  ['a workflow step', { type: 'workflow_step' }, 'must be a valid enum value', '/view/type'],
  ['no title', { ...modal, title: undefined }, 'missing required field: title', '/view'],
  ['no blocks', { ...modal, blocks: undefined }, 'missing required field: blocks', '/view'],
  [
    'a title in mrkdwn',
    { ...modal, title: { type: 'mrkdwn', text: '*New*' } },
    'unsupported type: mrkdwn',
    '/view/title/type',
  ],
  [
    'one block_id twice',
    modalWith(twice, twice),
    '`block_id` "b" already exists',
    '/view/blocks/1/block_id',
  ],
  ...['submit_disabled', 'id', 'state', 'hash'].map((name) => additional(modal, name)),
  ...['title', 'submit', 'close', 'clear_on_close', 'notify_on_close'].map((name) =>
    additional(home, name),
  ),
])('refused as a view: %s', (_, view, message, pointer) => {
  expect(validateView(view)).toEqual([{ message, pointer }]);
});

function additional(view: object, name: string): [string, object, string, string] {
  const message = `invalid additional property: ${name}`;
  return [name, { ...view, [name]: plain('x') }, message, '/view'];
}

test('a view has at most 250,000 bytes as JSON in UTF-8', () => {
  const section = (text: string) => ({ type: 'section', text: plain(text) });
  const cyrillic = Array.from({ length: 41 }, () => section('ж'.repeat(3000)));
  const padded = (size: number) => modalWith(...cyrillic, section(letters(size)));
  const bare = Buffer.byteLength(JSON.stringify(padded(0)));
  expect(validateView(padded(250_000 - bare))).toEqual([]);
  expect(validateView(padded(250_001 - bare))).toEqual([
    { message: 'must be less than 250 KB', pointer: '/view' },
  ]);
});

test('home tabs and unfurls with every property are accepted', () => {
  expect(validateView(home)).toEqual([]);
  for (const color of ['good', 'warning', 'danger', '#a1b2c3', 'A1B2C3']) {
    expect(validateUnfurl({ ...unfurl, color })).toEqual([]);
  }
});

test.each([
  ['no object', 'card', '', /must provide an object/],
  ['no blocks', { color: 'good' }, '', /missing required field: blocks/],
  ['rich text', { blocks: [richText] }, '/blocks/0/type', /unsupported type: rich_text/],
  ['51 blocks', { blocks: Array(51).fill(divider) }, '/blocks', /no more than 50 items allowed/],
  [
    'a preview in mrkdwn',
    { ...unfurl, preview: { title: { type: 'mrkdwn', text: '*Card*' } } },
    '/preview/title/type',
    /unsupported type: mrkdwn/,
  ],
  ...['is_app_unfurl', 'app_id', 'actions', 'colour', 'text', 'image_url'].map(
    (name): [string, object, string, RegExp] => [
      name,
      { ...unfurl, [name]: 'x' },
      '',
      /invalid additional property: /,
    ],
  ),
  ...['red', '#12345', '##123456', '', '#a1b2c3d4'].map(
    (color): [string, object, string, RegExp] => [
      `color "${color}"`,
      { ...unfurl, color },
      '/color',
      /./,
    ],
  ),
])('refused as an unfurl: %s', (_, value, pointer, message) => {
  expect(validateUnfurl(value)).toEqual([{ message: expect.stringMatching(message), pointer }]);
});
