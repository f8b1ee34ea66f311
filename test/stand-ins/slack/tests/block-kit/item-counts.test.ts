import { expect, test } from 'vitest';
import { validateBlocks } from '../../block-kit/validate.ts';
import { type Limit, options, rows, section, select, times } from './builders.ts';
import { IN_MESSAGES, plain } from './examples.ts';

const BUTTON = { type: 'button', text: plain('Open') };
const groups = (size: number) =>
  times(size, () => ({ label: plain('Group'), options: options(1) }));

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
  [
    'context actions',
    5,
    (n) => ({
      type: 'context_actions',
      elements: times(n, () => ({ type: 'icon_button', icon: 'trash', text: plain('Remove') })),
    }),
    '/elements',
  ],
  ['menu options', 100, (n) => select({ options: options(n) }), '/accessory/options'],
  ['option groups', 100, (n) => select({ option_groups: groups(n) }), '/accessory/option_groups'],
  [
    'options of a group',
    100,
    (n) => select({ option_groups: [{ label: plain('Group'), options: options(n) }] }),
    '/accessory/option_groups/0/options',
  ],
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
    'radio buttons',
    10,
    (n) => section({ type: 'radio_buttons', options: options(n) }),
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
  ['table rows', 100, (n) => ({ type: 'table', rows: rows(n) }), '/rows'],
  ['table cells', 20, (n) => ({ type: 'table', rows: rows(1, n) }), '/rows/0'],
  [
    'carousel cards',
    10,
    (n) => ({ type: 'carousel', elements: times(n, () => IN_MESSAGES.card) }),
    '/elements',
  ],
  [
    'container blocks',
    10,
    (n) => ({ ...IN_MESSAGES.container, child_blocks: times(n, () => ({ type: 'divider' })) }),
    '/child_blocks',
  ],
];

test.each(COUNTS)('there are at most %2$i %1$s', (_, most, block, pointer, surface) => {
  expect(validateBlocks([block(most)], surface ?? 'message')).toEqual([]);
  expect(validateBlocks([block(most + 1)], surface ?? 'message')).toEqual([
    { message: `no more than ${most} items allowed`, pointer: `/blocks/0${pointer}` },
  ]);
});
