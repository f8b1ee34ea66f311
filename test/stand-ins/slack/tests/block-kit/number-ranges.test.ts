import { expect, test } from 'vitest';
import { validateBlocks } from '../../block-kit/validate.ts';
import { type Limit, richList } from './builders.ts';
import { input } from './examples.ts';

const NUMBERS: Limit[] = [
  [
    'max_length',
    3000,
    (n) => input({ type: 'plain_text_input', max_length: n }),
    '/element/max_length',
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
];

test.each(NUMBERS)('%s is at most %i', (_, most, block, pointer, surface) => {
  expect(validateBlocks([block(most)], surface ?? 'message')).toEqual([]);
  expect(validateBlocks([block(most + 1)], surface ?? 'message')).toEqual([
    { message: `must be less than ${most}`, pointer: `/blocks/0${pointer}` },
  ]);
});
