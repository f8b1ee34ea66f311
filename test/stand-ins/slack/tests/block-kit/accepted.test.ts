import { describe, expect, test } from 'vitest';
import { type Surface, validateBlocks, validateView } from '../../block-kit/validate.ts';
import {
  CHOSEN_ELEMENTS,
  CLICKED_ELEMENTS,
  EVERYWHERE,
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
  }

  test('the same blocks can be used together, without IDs', () => {
    const blocks = [...Object.values(EVERYWHERE), ...Object.values(NOT_IN_UNFURLS)];
    expect(validateBlocks([...blocks, ...blocks], 'home')).toEqual([]);
  });

  test('a property that is undefined counts as absent', () => {
    expect(validateBlocks([{ type: 'header', text, block_id: undefined }], 'message')).toEqual([]);
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
});
