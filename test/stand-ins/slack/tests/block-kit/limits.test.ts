import { expect, test } from 'vitest';
import { type Surface, validateBlocks } from '../../block-kit/validate.ts';
import { section, select, times } from './builders.ts';
import { input, plain, richText } from './examples.ts';

function problems(block: object, surface: Surface = 'message') {
  return validateBlocks([block], surface);
}

test.each([
  ['max_length', { type: 'plain_text_input', max_length: 0 }],
  ['max_files', { type: 'file_input', max_files: 0 }],
  ['max_selected_items', { type: 'multi_external_select', max_selected_items: 0 }],
])('%s is at least 1', (name, element) => {
  expect(problems(input(element), 'modal')).toEqual([
    { message: 'must be greater than 1', pointer: `/blocks/0/element/${name}` },
  ]);
});

test.each([
  ['fields', { type: 'section', fields: [] }],
  ['elements', { type: 'context', elements: [] }],
  ['elements', { type: 'actions', elements: [] }],
  ['elements', { type: 'rich_text', elements: [] }],
  ['accessory/options', select({ options: [] })],
  ['accessory/options', section({ type: 'overflow', options: [] })],
  ['accessory/options', section({ type: 'checkboxes', options: [] })],
  ['accessory/filter/include', section({ type: 'conversations_select', filter: { include: [] } })],
])('an empty list of %s is refused', (pointer, block) => {
  expect(problems(block)).toEqual([
    { message: 'must provide at least 1 items', pointer: `/blocks/0/${pointer}` },
  ]);
});

test('a message has at most 50 blocks, and a view 100', () => {
  const dividers = (size: number) => times(size, () => ({ type: 'divider' }));
  for (const surface of ['message', 'unfurl'] as const) {
    expect(validateBlocks(dividers(50), surface)).toEqual([]);
    expect(validateBlocks(dividers(51), surface)).toEqual([
      { message: 'no more than 50 items allowed', pointer: '/blocks' },
    ]);
  }
  for (const surface of ['modal', 'home'] as const) {
    expect(validateBlocks(dividers(100), surface)).toEqual([]);
    expect(validateBlocks(dividers(101), surface)).toEqual([
      { message: 'no more than 100 items allowed', pointer: '/blocks' },
    ]);
  }
});

test('an emoji counts as two characters, so that no text is too long for Slack', () => {
  expect(problems({ type: 'header', text: plain('🎨'.repeat(75)) })).toEqual([]);
  expect(problems({ type: 'header', text: plain('🎨'.repeat(76)) })).toHaveLength(1);
});

test('a rich text element has at least one character', () => {
  const of = (element: object) => ({
    ...richText,
    elements: [{ type: 'rich_text_section', elements: [element] }],
  });
  for (const element of [
    { type: 'text', text: '' },
    { type: 'link', url: 'https://example.com', text: '' },
  ]) {
    expect(problems(of(element))).toEqual([
      {
        message: 'must be more than 0 characters',
        pointer: '/blocks/0/elements/0/elements/0/text',
      },
    ]);
  }
});
