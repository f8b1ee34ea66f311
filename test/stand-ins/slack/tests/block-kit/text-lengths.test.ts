import { expect, test } from 'vitest';
import { validateBlocks } from '../../block-kit/validate.ts';
import { button, image, type Limit, letters, menu, section } from './builders.ts';
import { confirm, input, option, plain } from './examples.ts';

const url = (size: number) => `https://example.com/${letters(size - 20)}`;

const LENGTHS: Limit[] = [
  ['a section text', 3000, (n) => ({ type: 'section', text: plain(letters(n)) }), '/text/text'],
  [
    'a section field',
    2000,
    (n) => ({ type: 'section', fields: [plain(letters(n))] }),
    '/fields/0/text',
  ],
  ['a header', 150, (n) => ({ type: 'header', text: plain(letters(n)) }), '/text/text'],
  [
    'a context text',
    3000,
    (n) => ({ type: 'context', elements: [plain(letters(n))] }),
    '/elements/0/text',
  ],
  ['a block_id', 255, (n) => ({ type: 'divider', block_id: letters(n) }), '/block_id'],
  ['an action_id', 255, (n) => button({ action_id: letters(n) }), '/elements/0/action_id'],
  ['an image address', 3000, (n) => image({ image_url: url(n) }), '/image_url'],
  ['an alt text', 2000, (n) => image({ alt_text: letters(n) }), '/alt_text'],
  ['an image title', 2000, (n) => image({ title: plain(letters(n)) }), '/title/text'],
  [
    'the alt text of an accessory',
    2000,
    (n) => section(image({ alt_text: letters(n) })),
    '/accessory/alt_text',
  ],
  [
    'a label',
    2000,
    (n) => input({ type: 'plain_text_input' }, { label: plain(letters(n)) }),
    '/label/text',
    'modal',
  ],
  [
    'a hint',
    2000,
    (n) => input({ type: 'plain_text_input' }, { hint: plain(letters(n)) }),
    '/hint/text',
    'modal',
  ],
  [
    'an initial value',
    3000,
    (n) => input({ type: 'plain_text_input', initial_value: letters(n) }),
    '/element/initial_value',
    'modal',
  ],
  [
    'an initial value below max_length',
    10,
    (n) => input({ type: 'plain_text_input', initial_value: letters(n), max_length: 10 }),
    '/element/initial_value',
    'modal',
  ],
  [
    'a placeholder',
    150,
    (n) => menu({ placeholder: plain(letters(n)) }),
    '/accessory/placeholder/text',
  ],
  ['a button text', 75, (n) => button({ text: plain(letters(n)) }), '/elements/0/text/text'],
  ['a button value', 2000, (n) => button({ value: letters(n) }), '/elements/0/value'],
  ['a button address', 3000, (n) => button({ url: url(n) }), '/elements/0/url'],
  [
    'an accessibility label',
    75,
    (n) => button({ accessibility_label: letters(n) }),
    '/elements/0/accessibility_label',
  ],
  [
    'a confirm title',
    100,
    (n) => button({ confirm: { ...confirm, title: plain(letters(n)) } }),
    '/elements/0/confirm/title/text',
  ],
  [
    'a confirm text',
    300,
    (n) => button({ confirm: { ...confirm, text: plain(letters(n)) } }),
    '/elements/0/confirm/text/text',
  ],
  [
    'a confirm button',
    30,
    (n) => button({ confirm: { ...confirm, confirm: plain(letters(n)) } }),
    '/elements/0/confirm/confirm/text',
  ],
  [
    'a deny button',
    30,
    (n) => button({ confirm: { ...confirm, deny: plain(letters(n)) } }),
    '/elements/0/confirm/deny/text',
  ],
  [
    'an option text',
    75,
    (n) => menu({ options: [{ ...option, text: plain(letters(n)) }] }),
    '/accessory/options/0/text/text',
  ],
  [
    'an option value',
    75,
    (n) => menu({ options: [{ ...option, value: letters(n) }] }),
    '/accessory/options/0/value',
  ],
  [
    'an option description',
    75,
    (n) => menu({ options: [{ ...option, description: plain(letters(n)) }] }),
    '/accessory/options/0/description/text',
  ],
];

test.each(LENGTHS)('%s has at most %i characters', (_, most, block, pointer, surface) => {
  expect(validateBlocks([block(most)], surface ?? 'message')).toEqual([]);
  expect(validateBlocks([block(most + 1)], surface ?? 'message')).toEqual([
    { message: `must be less than ${most + 1} characters`, pointer: `/blocks/0${pointer}` },
  ]);
});
