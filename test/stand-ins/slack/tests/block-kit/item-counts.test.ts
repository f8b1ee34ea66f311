import { expect, test } from 'vitest';
import { validateBlocks } from '../../block-kit/validate.ts';
import { type Limit, options, section, select, times } from './builders.ts';
import { plain } from './examples.ts';

const BUTTON = { type: 'button', text: plain('Open') };

const COUNTS: Limit[] = [
  [
    'section fields',
    10,
    (n) => ({ type: 'section', fields: times(n, () => plain('x')) }),
    '/fields',
  ],
  [
    'context elements',
    10,
    (n) => ({ type: 'context', elements: times(n, () => plain('x')) }),
    '/elements',
  ],
  [
    'actions elements',
    25,
    (n) => ({ type: 'actions', elements: times(n, () => BUTTON) }),
    '/elements',
  ],
  ['menu options', 100, (n) => select({ options: options(n) }), '/accessory/options'],
  [
    'overflow options',
    5,
    (n) => section({ type: 'overflow', options: options(n) }),
    '/accessory/options',
  ],
  [
    'checkboxes',
    10,
    (n) => section({ type: 'checkboxes', options: options(n) }),
    '/accessory/options',
  ],
  [
    'initial options',
    2,
    (n) =>
      section({
        type: 'multi_external_select',
        initial_options: options(n),
        max_selected_items: 2,
      }),
    '/accessory/initial_options',
  ],
];

test.each(COUNTS)('there are at most %2$i %1$s', (_, most, block, pointer, surface) => {
  expect(validateBlocks([block(most)], surface ?? 'message')).toEqual([]);
  expect(validateBlocks([block(most + 1)], surface ?? 'message')).toEqual([
    { message: `no more than ${most} items allowed`, pointer: `/blocks/0${pointer}` },
  ]);
});
