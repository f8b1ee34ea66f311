import { describe, expect, test } from 'vitest';
import { carryState, initialState, missingInputs } from '../../block-kit/view-state.ts';
import { input, option, otherOption, plain, richText } from './examples.ts';

const named = (element: object) => ({ action_id: 'a', ...element });
const view = (...blocks: object[]) => ({ type: 'modal', blocks });
const viewOf = (element: object, more: object = {}) => view(input(named(element), more));

describe('the initial state of a view', () => {
  test.each([
    [{ type: 'plain_text_input' }, { value: null }],
    [{ type: 'plain_text_input', initial_value: 'Banner' }, { value: 'Banner' }],
    [{ type: 'static_select', options: [option] }, { selected_option: null }],
    [{ type: 'external_select', initial_option: option }, { selected_option: option }],
    [{ type: 'multi_static_select' }, { selected_options: [] }],
    [{ type: 'multi_external_select', initial_options: [option] }, { selected_options: [option] }],
    [{ type: 'checkboxes', initial_options: [option] }, { selected_options: [option] }],
    [{ type: 'conversations_select' }, { selected_conversation: null }],
    [{ type: 'datepicker', initial_date: '2026-12-01' }, { selected_date: '2026-12-01' }],
    [{ type: 'rich_text_input' }, {}],
    [{ type: 'rich_text_input', initial_value: richText }, { rich_text_value: richText }],
    [{ type: 'file_input' }, { files: [] }],
  ])('%o starts as %o', (element, value) => {
    expect(initialState(viewOf(element))).toEqual({ b: { a: { type: element.type, ...value } } });
  });

  test('includes menus in sections and actions, but not buttons', () => {
    const blocks = view(
      { type: 'section', block_id: 's', accessory: named({ type: 'conversations_select' }) },
      {
        type: 'actions',
        block_id: 'c',
        elements: [
          { type: 'datepicker', action_id: 'due' },
          { type: 'button', action_id: 'go' },
          { type: 'overflow', action_id: 'more' },
        ],
      },
      { type: 'divider', block_id: 'd' },
    );
    expect(initialState(blocks)).toEqual({
      s: { a: { type: 'conversations_select', selected_conversation: null } },
      c: { due: { type: 'datepicker', selected_date: null } },
    });
  });

  test('uses the current conversation if the element requests it', () => {
    const asks = { type: 'conversations_select', default_to_current_conversation: true };
    const chosen = (element: object, current?: string) =>
      initialState(viewOf(element), current).b?.a?.selected_conversation;
    expect(chosen(asks, 'C1')).toBe('C1');
    expect(chosen(asks)).toBeNull();
    expect(chosen({ ...asks, initial_conversation: 'C2' }, 'C1')).toBe('C2');
    expect(chosen({ type: 'conversations_select' }, 'C1')).toBeNull();
  });

  test('shares nothing with the view', () => {
    const state = initialState(viewOf({ type: 'static_select', initial_option: option }));
    expect(state.b?.a?.selected_option).not.toBe(option);
  });

  test('accepts IDs that are names of object properties', () => {
    const state = initialState(viewOf({ type: 'plain_text_input' }, { block_id: '__proto__' }));
    expect(Object.keys(state)).toEqual(['__proto__']);
  });
});

describe('values after an update of the view', () => {
  const before = viewOf({ type: 'plain_text_input', initial_value: 'old' });
  const state = { b: { a: { type: 'plain_text_input', value: 'typed' } } };

  test('survive if block_id, action_id, and kind stay the same', () => {
    const next = viewOf(
      { type: 'plain_text_input', initial_value: 'new' },
      { label: plain('New') },
    );
    expect(carryState({ view: before, state }, next)).toEqual(state);
  });

  test.each([
    ['block_id', viewOf({ type: 'plain_text_input', initial_value: 'new' }, { block_id: 'b2' })],
    ['action_id', viewOf({ type: 'plain_text_input', initial_value: 'new', action_id: 'a2' })],
    ['kind', viewOf({ type: 'datepicker', initial_date: 'new' })],
  ])('are reset if the %s changes', (_, next) => {
    const carried = carryState({ view: before, state }, next);
    const values = Object.values(carried).flatMap((block) => Object.values(block));
    expect(values.map((value) => value.value ?? value.selected_date)).toEqual(['new']);
  });

  test('are dropped with their inputs, and new inputs get initial values', () => {
    const next = view(
      input({ type: 'plain_text_input', action_id: 'a' }),
      input({ type: 'file_input', action_id: 'f' }, { block_id: 'files' }),
    );
    expect(carryState({ view: before, state }, next)).toEqual({
      ...state,
      files: { f: { type: 'file_input', files: [] } },
    });
    expect(carryState({ view: next, state }, view())).toEqual({});
  });

  test('are not taken from a state that the previous view didn’t show', () => {
    const next = viewOf({ type: 'plain_text_input', initial_value: 'new' });
    expect(carryState({ view: view(), state }, next).b?.a?.value).toBe('new');
  });
});

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
