import { describe, expect, test } from 'vitest';
import { missingInputs } from '../../block-kit/view-state.ts';
import { input, option, otherOption, richText } from './examples.ts';

const named = (element: object) => ({ action_id: 'a', ...element });
const view = (...blocks: object[]) => ({ type: 'modal', blocks });
const viewOf = (element: object, more: object = {}) => view(input(named(element), more));

describe('inputs that Slack refuses to submit', () => {
  const empty = [{ blockId: 'b', message: 'Please complete this required field.' }];

  test.each([
    ['plain_text_input', { value: '' }],
    ['plain_text_input', { value: null }],
    ['static_select', { selected_option: null }],
    ['multi_static_select', { selected_options: [] }],
    ['conversations_select', { selected_conversation: null }],
    ['rich_text_input', {}],
    [
      'rich_text_input',
      { rich_text_value: { elements: [{ type: 'rich_text_section', elements: [] }] } },
    ],
    ['file_input', { files: [] }],
  ])('include an empty %s with %o, unless it is optional', (type, value) => {
    const state = { b: { a: { type, ...value } } };
    expect(missingInputs(viewOf({ type }), state)).toEqual(empty);
    expect(missingInputs(viewOf({ type }, { optional: true }), state)).toEqual([]);
  });

  test.each([
    ['plain_text_input', { value: 'x' }],
    ['static_select', { selected_option: option }],
    ['checkboxes', { selected_options: [option, otherOption] }],
    ['rich_text_input', { rich_text_value: { ...richText } }],
    ['file_input', { files: [{ id: 'F1' }] }],
  ])('don’t include %s with %o', (type, value) => {
    expect(missingInputs(viewOf({ type }), { b: { a: { type, ...value } } })).toEqual([]);
  });

  test('include an input without any state', () => {
    expect(missingInputs(viewOf({ type: 'plain_text_input' }), {})).toEqual(empty);
  });

  test('include text that is longer than the element allows', () => {
    const typed = (value: string) => ({ b: { a: { type: 'plain_text_input', value } } });
    const element = { type: 'plain_text_input', max_length: 5 };
    const messages = (value: string) =>
      missingInputs(viewOf(element), typed(value)).map(({ message }) => message);
    expect(messages('abcde')).toEqual([]);
    expect(messages('abcdef')).toEqual(['Please enter no more than 5 characters.']);
  });

  test('don’t include menus outside inputs', () => {
    const accessory = named({ type: 'conversations_select' });
    expect(missingInputs(view({ type: 'section', block_id: 's', accessory }), {})).toEqual([]);
  });
});
