import { expect, test } from 'vitest';
import { missingInputs } from '../../block-kit/view-state.ts';
import { input, option, otherOption, richText } from './examples.ts';

const view = (element: object, more: object = {}) => ({
  type: 'modal',
  blocks: [input({ action_id: 'a', ...element }, more)],
});
const missing = (shown: unknown, value?: object) =>
  missingInputs(shown, value ? { b: { a: { type: 'x', ...value } } } : {}).map(
    ({ blockId, message }) => `${blockId}: ${message}`,
  );
const empty = ['b: Please complete this required field.'];
const nothing = { elements: [{ type: 'rich_text_section', elements: [] }] };

test.for<[type: string, value: object | undefined, found: string[]]>([
  ['plain_text_input', { value: '' }, empty],
  ['plain_text_input', { value: null }, empty],
  ['plain_text_input', undefined, empty],
  ['static_select', { selected_option: null }, empty],
  ['multi_static_select', { selected_options: [] }, empty],
  ['conversations_select', { selected_conversation: null }, empty],
  ['rich_text_input', {}, empty],
  ['rich_text_input', { rich_text_value: nothing }, empty],
  ['file_input', { files: [] }, empty],
  ['plain_text_input', { value: 'x' }, []],
  ['static_select', { selected_option: option }, []],
  ['checkboxes', { selected_options: [option, otherOption] }, []],
  ['rich_text_input', { rich_text_value: { ...richText } }, []],
  ['file_input', { files: [{ id: 'F1' }] }, []],
])('Slack refuses to submit an empty %s with %o, unless it is optional', ([type, value, found]) => {
  const held = value && { type, ...value };
  expect(missing(view({ type }), held)).toEqual(found);
  expect(missing(view({ type }, { optional: true }), held)).toEqual([]);
});
