import { describe, expect, test } from 'vitest';
import { type Surface, validateBlocks, validateView } from '../../block-kit/validate.ts';
import {
  CHOSEN_ELEMENTS,
  CLICKED_ELEMENTS,
  EVERYWHERE,
  IN_MESSAGES,
  input,
  modalWith,
  NOT_IN_UNFURLS,
  plain,
  TYPED_ELEMENTS,
} from './examples.ts';

const SURFACES: Surface[] = ['message', 'unfurl', 'modal', 'home'];
const text = plain('Text');

function accessory(element: object) {
  return { type: 'section', text, accessory: element };
}

function actions(element: object) {
  return { type: 'actions', elements: [element] };
}

describe('blocks', () => {
  for (const surface of SURFACES) {
    test.each(Object.entries(EVERYWHERE))(
      `a %s block is accepted by the ${surface}`,
      (_, block) => {
        expect(validateBlocks([block], surface)).toEqual([]);
      },
    );
    test.each(Object.entries(NOT_IN_UNFURLS))(
      `a %s block is accepted by the ${surface} unless that is an unfurl`,
      (type, block) => {
        const refusal = { message: `unsupported type: ${type}`, pointer: '/blocks/0/type' };
        expect(validateBlocks([block], surface)).toEqual(surface === 'unfurl' ? [refusal] : []);
      },
    );
    test.each(Object.entries(IN_MESSAGES))(
      `a %s block is accepted by the ${surface} if that is a message`,
      (type, block) => {
        const refusal = { message: `unsupported type: ${type}`, pointer: '/blocks/0/type' };
        expect(validateBlocks([block], surface)).toEqual(surface === 'message' ? [] : [refusal]);
      },
    );
  }

  test('the same blocks can be used together, without IDs', () => {
    const blocks = [...Object.values(EVERYWHERE), ...Object.values(NOT_IN_UNFURLS)];
    expect(validateBlocks([...blocks, ...blocks], 'home')).toEqual([]);
  });

  test('a property that is undefined counts as absent', () => {
    expect(validateBlocks([{ type: 'header', text, block_id: undefined }], 'message')).toEqual([]);
  });

  test('a file in Slack can replace the URL of an image', () => {
    const image = { type: 'image', slack_file: { id: 'F0123' }, alt_text: 'A banner' };
    expect(validateBlocks([image, accessory(image)], 'message')).toEqual([]);
  });
});

describe('elements', () => {
  test.each(Object.entries({ ...CLICKED_ELEMENTS, ...CHOSEN_ELEMENTS }))(
    'a %s is accepted as an accessory and in actions',
    (_, element) => {
      for (const surface of SURFACES) {
        expect(validateBlocks([accessory(element), actions(element)], surface)).toEqual([]);
      }
    },
  );

  test.each(Object.entries({ ...TYPED_ELEMENTS, ...CHOSEN_ELEMENTS }))(
    'a %s is accepted in an input of a modal',
    (_, element) => {
      expect(validateView(modalWith(input(element)))).toEqual([]);
    },
  );

  test.each(Object.entries(CLICKED_ELEMENTS))('a %s is refused in an input', (type, element) => {
    expect(validateBlocks([input(element)], 'modal')).toEqual([
      { message: `unsupported type: ${type}`, pointer: '/blocks/0/element/type' },
    ]);
  });

  test.each(Object.entries(TYPED_ELEMENTS))('a %s is refused in actions', (type, element) => {
    expect(validateBlocks([actions(element)], 'modal')).toEqual([
      { message: `unsupported type: ${type}`, pointer: '/blocks/0/elements/0/type' },
    ]);
  });

  test.each(Object.entries(TYPED_ELEMENTS).filter(([type]) => type !== 'plain_text_input'))(
    'a %s is refused outside modals',
    (type, element) => {
      const refusal = [{ message: `unsupported type: ${type}`, pointer: '/blocks/0/element/type' }];
      expect(validateBlocks([input(element)], 'home')).toEqual(refusal);
      expect(validateBlocks([input(element)], 'message')).toEqual(refusal);
    },
  );

  test('a datetimepicker is accepted in actions of messages and inputs of modals, not in home tabs', () => {
    const element = { type: 'datetimepicker', initial_date_time: 1_790_000_000 };
    expect(validateBlocks([actions(element)], 'message')).toEqual([]);
    expect(validateBlocks([input(element)], 'modal')).toEqual([]);
    expect(validateBlocks([accessory(element)], 'message')).toHaveLength(1);
    expect(validateBlocks([actions(element)], 'home')).toHaveLength(1);
  });

  test('a workflow button is accepted only in messages', () => {
    const workflow = { trigger: { url: 'https://slack.com/shortcuts/Ft1/x' } };
    const element = { type: 'workflow_button', text, workflow };
    expect(validateBlocks([actions(element)], 'message')).toEqual([]);
    expect(validateBlocks([actions(element)], 'home')).toHaveLength(1);
  });

  test('response_url_enabled is accepted in an input of a modal, for one conversation', () => {
    const element = { type: 'conversations_select', response_url_enabled: true };
    const refusal = 'invalid additional property: response_url_enabled';
    expect(validateBlocks([input(element)], 'modal')).toEqual([]);
    expect(validateBlocks([actions(element)], 'modal')).toEqual([
      { message: refusal, pointer: '/blocks/0/elements/0' },
    ]);
    expect(validateBlocks([input(element)], 'home')).toEqual([
      { message: refusal, pointer: '/blocks/0/element' },
    ]);
    const several = { type: 'multi_conversations_select', response_url_enabled: true };
    expect(validateBlocks([input(several)], 'modal')).toEqual([
      { message: refusal, pointer: '/blocks/0/element' },
    ]);
  });
});
