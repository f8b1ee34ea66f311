import { expect, test } from 'vitest';
import { validateBlocks } from '../../block-kit/validate.ts';
import { type Limit, richList } from './builders.ts';
import { IN_MESSAGES, input } from './examples.ts';

const NUMBERS: Limit[] = [
  [
    'max_length',
    3000,
    (n) => input({ type: 'plain_text_input', max_length: n }),
    '/element/max_length',
    'modal',
  ],
  [
    'min_length',
    3000,
    (n) => input({ type: 'plain_text_input', min_length: n }),
    '/element/min_length',
    'modal',
  ],
  [
    'min_length below max_length',
    10,
    (n) => input({ type: 'plain_text_input', min_length: n, max_length: 10 }),
    '/element/min_length',
    'modal',
  ],
  [
    'min_lines',
    100,
    (n) => input({ type: 'rich_text_input', min_lines: n }),
    '/element/min_lines',
    'modal',
  ],
  [
    'max_lines',
    100,
    (n) => input({ type: 'rich_text_input', max_lines: n }),
    '/element/max_lines',
    'modal',
  ],
  [
    'min_lines below max_lines',
    10,
    (n) => input({ type: 'rich_text_input', min_lines: n, max_lines: 10 }),
    '/element/min_lines',
    'modal',
  ],
  [
    'max_files',
    10,
    (n) => input({ type: 'file_input', max_files: n }),
    '/element/max_files',
    'modal',
  ],
  ['a list indent', 8, (n) => richList({ style: 'ordered', indent: n }), '/elements/0/indent'],
  [
    'a page of a data table',
    100,
    (n) => ({ ...IN_MESSAGES.data_table, page_size: n }),
    '/page_size',
  ],
];

test.each(NUMBERS)('%s is at most %i', (_, most, block, pointer, surface) => {
  expect(validateBlocks([block(most)], surface ?? 'message')).toEqual([]);
  expect(validateBlocks([block(most + 1)], surface ?? 'message')).toEqual([
    { message: `must be less than ${most}`, pointer: `/blocks/0${pointer}` },
  ]);
});
