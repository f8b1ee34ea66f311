import { expect, test } from 'vitest';
import { validateBlocks } from '../../block-kit/validate.ts';
import { button, type Refusal, section, select } from './builders.ts';
import { confirm, plain } from './examples.ts';

const text = plain('Text');

const MISSING: Refusal[] = [
  ['a block without a type', { text }, 'missing required field: type', ''],
  ['a block that is no object', 'divider', 'must provide an object', ''],
  ['a block that is null', null, 'must provide an object', ''],
  ['a type that is no string', { type: 1 }, 'must provide a string', '/type'],
  [
    'a section without text and fields',
    { type: 'section' },
    'must define either `text` or `fields`',
    '',
  ],
  ['a header without text', { type: 'header' }, 'missing required field: text', ''],
  [
    'a text object without text',
    { type: 'header', text: { type: 'plain_text' } },
    'missing required field: text',
    '/text',
  ],
  [
    'an image without alt text',
    { type: 'image', image_url: 'https://example.com/a.png' },
    'missing required field: alt_text',
    '',
  ],
  [
    'an image without a picture',
    { type: 'image', alt_text: 'A' },
    'missing required field: image_url',
    '',
  ],
  [
    'an input without a label',
    { type: 'input', element: { type: 'plain_text_input' } },
    'missing required field: label',
    '',
  ],
  [
    'an input without an element',
    { type: 'input', label: text },
    'missing required field: element',
    '',
  ],
  ['a menu without options', select({}), 'missing required field: options', '/accessory'],
  [
    'an option without a value',
    select({ options: [{ text }] }),
    'missing required field: value',
    '/accessory/options/0',
  ],
  [
    'a confirm dialog without a title',
    button({ confirm: { ...confirm, title: undefined } }),
    'missing required field: title',
    '/elements/0/confirm',
  ],
  [
    'an empty filter',
    section({ type: 'conversations_select', filter: {} }),
    'must define at least one property',
    '/accessory/filter',
  ],
];

test.each(MISSING)('refused: %s', (_, block, message, pointer, surface) => {
  expect(validateBlocks([block], surface ?? 'message')).toEqual([
    { message, pointer: `/blocks/0${pointer}` },
  ]);
});
