import { describe, expect, test } from 'vitest';
import { validateView } from '../../block-kit/validate.ts';
import { input, modalWith, plain } from './examples.ts';

const divider = { type: 'divider' };
const text = (size: number) => 'x'.repeat(size);

describe('a modal', () => {
  test.each([
    ['title', 24, '/title/text', (n: number) => ({ title: plain(text(n)) })],
    ['submit button', 24, '/submit/text', (n: number) => ({ submit: plain(text(n)) })],
    ['close button', 24, '/close/text', (n: number) => ({ close: plain(text(n)) })],
    ['metadata', 3000, '/private_metadata', (n: number) => ({ private_metadata: text(n) })],
    ['callback_id', 255, '/callback_id', (n: number) => ({ callback_id: text(n) })],
    ['external_id', 255, '/external_id', (n: number) => ({ external_id: text(n) })],
  ])('has a %s of at most %i characters', (_, most, pointer, part) => {
    expect(validateView({ ...modalWith(divider), ...part(most) })).toEqual([]);
    expect(validateView({ ...modalWith(divider), ...part(most + 1) })).toEqual([
      { message: `must be less than ${most + 1} characters`, pointer: `/view${pointer}` },
    ]);
  });

  test('must have a submit button if it has an input', () => {
    const { submit: _, ...view } = modalWith(divider);
    expect(validateView(view)).toEqual([]);
    expect(validateView({ ...view, blocks: [input({ type: 'plain_text_input' })] })).toEqual([
      { message: 'missing required field: submit', pointer: '/view' },
    ]);
  });

  test('must have a title and blocks', () => {
    expect(validateView({ type: 'modal' })).toEqual([
      { message: 'missing required field: title', pointer: '/view' },
      { message: 'missing required field: blocks', pointer: '/view' },
    ]);
  });

  test('has a title in plain text', () => {
    const title = { type: 'mrkdwn', text: '*New*' };
    expect(validateView({ ...modalWith(divider), title })).toEqual([
      { message: 'unsupported type: mrkdwn', pointer: '/view/title/type' },
    ]);
  });

  test.each(['submit_disabled', 'id', 'state', 'hash'])('can’t have the property %s', (name) => {
    expect(validateView({ ...modalWith(divider), [name]: 'x' })).toEqual([
      { message: `invalid additional property: ${name}`, pointer: '/view' },
    ]);
  });

  test('has at most 100 blocks, each with its own ID', () => {
    const blocks = Array.from({ length: 101 }, () => divider);
    expect(validateView(modalWith(...blocks))).toEqual([
      { message: 'no more than 100 items allowed', pointer: '/view/blocks' },
    ]);
    const twice = input({ type: 'plain_text_input' });
    expect(validateView(modalWith(twice, twice))).toEqual([
      { message: '`block_id` "b" already exists', pointer: '/view/blocks/1/block_id' },
    ]);
  });

  test('has at most 250,000 bytes as JSON in UTF-8', () => {
    const section = (letter: string, size: number) => ({
      type: 'section',
      text: plain(letter.repeat(size)),
    });
    const cyrillic = Array.from({ length: 41 }, () => section('ж', 3000));
    const padded = (size: number) => modalWith(...cyrillic, section('x', size));
    const bare = Buffer.byteLength(JSON.stringify(padded(0)));
    expect(validateView(padded(250_000 - bare))).toEqual([]);
    expect(validateView(padded(250_001 - bare))).toEqual([
      { message: 'must be less than 250 KB', pointer: '/view' },
    ]);
  });
});

describe('a home tab', () => {
  test('can have blocks and metadata', () => {
    const view = { type: 'home', blocks: [divider], private_metadata: '{}', callback_id: 'home' };
    expect(validateView(view)).toEqual([]);
  });

  test('can have inputs without a submit button', () => {
    const blocks = [input({ type: 'plain_text_input' }, { dispatch_action: true })];
    expect(validateView({ type: 'home', blocks })).toEqual([]);
  });

  test.each(['title', 'submit', 'close', 'clear_on_close', 'notify_on_close'])(
    'can’t have %s',
    (name) => {
      expect(validateView({ type: 'home', blocks: [], [name]: plain('x') })).toEqual([
        { message: `invalid additional property: ${name}`, pointer: '/view' },
      ]);
    },
  );
});

test.each([
  ['nothing', null, 'must provide an object', '/view'],
  ['a list', [], 'must provide an object', '/view'],
  ['a view without a type', { blocks: [] }, 'missing required field: type', '/view'],
  ['a workflow step', { type: 'workflow_step' }, 'must be a valid enum value', '/view/type'],
])('%s is not a view', (_, view, message, pointer) => {
  expect(validateView(view)).toEqual([{ message, pointer }]);
});
