import { expect, test } from 'vitest';
import { validateBlocks } from '../../block-kit/validate.ts';
import { section } from './builders.ts';
import { input, plain, richText } from './examples.ts';

const text = plain('Text');

test('the ID of something else than a conversation', () => {
  const accessory = { type: 'conversations_select', initial_conversation: '#design' };
  expect(validateBlocks([section(accessory)], 'message')).toEqual([
    {
      message: expect.stringMatching(/^input must match regex pattern: /),
      pointer: '/blocks/0/accessory/initial_conversation',
    },
  ]);
});

test('blocks that aren’t an array', () => {
  expect(validateBlocks({}, 'message')).toEqual([
    { message: 'must provide an array', pointer: '/blocks' },
  ]);
});

test('one block_id twice', () => {
  const divider = { type: 'divider', block_id: 'same' };
  expect(validateBlocks([divider, divider], 'message')).toEqual([
    { message: '`block_id` "same" already exists', pointer: '/blocks/1/block_id' },
  ]);
});

test('one action_id twice in a block, but not in two blocks', () => {
  const element = { type: 'button', text, action_id: 'open' };
  expect(validateBlocks([{ type: 'actions', elements: [element, element] }], 'home')).toEqual([
    { message: '`action_id` "open" already exists', pointer: '/blocks/0/elements/1/action_id' },
  ]);
  const actions = { type: 'actions', elements: [element] };
  expect(validateBlocks([actions, actions], 'home')).toEqual([]);
});

test('two elements with focus', () => {
  const focused = { type: 'plain_text_input', focus_on_load: true };
  const blocks = ['one', 'two'].map((block_id) => input(focused, { block_id }));
  expect(validateBlocks(blocks, 'modal')).toEqual([
    {
      message: 'only one element can be focused on load',
      pointer: '/blocks/1/element/focus_on_load',
    },
  ]);
});

test('every problem of a payload is reported, not only the first', () => {
  const blocks = [{ type: 'marquee' }, { type: 'header', text: plain('') }, richText];
  expect(validateBlocks(blocks, 'unfurl').map(({ pointer }) => pointer)).toEqual([
    '/blocks/0/type',
    '/blocks/1/text/text',
    '/blocks/2/type',
  ]);
});
