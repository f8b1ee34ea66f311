import { expect, test } from 'vitest';
import { validateBlocks } from '../../block-kit/validate.ts';
import { button, paragraph, type Refusal, section, select } from './builders.ts';
import { input, option, otherOption, plain } from './examples.ts';

const text = plain('Text');

const WRONG: Refusal[] = [
  [
    'empty text',
    { type: 'header', text: plain('') },
    'must be more than 0 characters',
    '/text/text',
  ],
  [
    'NUL in a text',
    { type: 'header', text: plain('a\0b') },
    'must be valid UTF-8 without NUL characters',
    '/text/text',
  ],
  [
    'half a surrogate pair',
    { type: 'header', text: plain('a\ud83cb') },
    'must be valid UTF-8 without NUL characters',
    '/text/text',
  ],
  [
    'NUL in an id',
    { type: 'divider', block_id: '\0' },
    'must be valid UTF-8 without NUL characters',
    '/block_id',
  ],
  [
    'a number as text',
    { type: 'header', text: { type: 'plain_text', text: 5 } },
    'must provide a string',
    '/text/text',
  ],
  [
    'null as an initial option',
    select({ options: [option], initial_option: null }),
    'must provide an object',
    '/accessory/initial_option',
  ],
  [
    'a word as a flag',
    { type: 'header', text: { ...text, emoji: 'yes' } },
    'must be a boolean',
    '/text/emoji',
  ],
  ['an object for a list', { type: 'actions', elements: {} }, 'must provide an array', '/elements'],
  [
    'a fraction as a number of files',
    input({ type: 'file_input', max_files: 1.5 }),
    'must provide an integer',
    '/element/max_files',
    'modal',
  ],
  [
    'an unknown button style',
    button({ style: 'default' }),
    'must be a valid enum value',
    '/elements/0/style',
  ],
  [
    'an image from a file system',
    { type: 'image', alt_text: 'A', image_url: 'file:///a.png' },
    'must provide a valid URL',
    '/image_url',
  ],
  [
    'a relative image address',
    { type: 'image', alt_text: 'A', image_url: '/a.png' },
    'must provide a valid URL',
    '/image_url',
  ],
  [
    'a script behind a button',
    button({ url: 'javascript:alert(1)' }),
    'must provide a valid URL',
    '/elements/0/url',
  ],
  [
    'a script behind a rich text link',
    paragraph({ type: 'link', url: 'javascript:alert(1)' }),
    'must provide a valid URL',
    '/elements/0/elements/0/url',
  ],
  [
    'a day that does not exist',
    section({ type: 'datepicker', initial_date: '2026-02-30' }),
    'must provide a valid date',
    '/accessory/initial_date',
  ],
  [
    'a month that does not exist',
    section({ type: 'datepicker', initial_date: '2026-13-01' }),
    'must provide a valid date',
    '/accessory/initial_date',
  ],
  [
    'an initial option that is not offered',
    select({ options: [option], initial_option: otherOption }),
    'must exactly match one of the options',
    '/accessory/initial_option',
  ],
  [
    'an initial option that is written differently',
    select({ options: [option], initial_option: { ...option, text: plain('graphics') } }),
    'must exactly match one of the options',
    '/accessory/initial_option',
  ],
  [
    'an initial option that lacks the description',
    select({ options: [{ ...option, description: text }], initial_option: option }),
    'must exactly match one of the options',
    '/accessory/initial_option',
  ],
  [
    'an initial option that adds a description',
    select({ options: [option], initial_option: { ...option, description: text } }),
    'must exactly match one of the options',
    '/accessory/initial_option',
  ],
  [
    'initial options that are not offered',
    section({ type: 'checkboxes', options: [option], initial_options: [option, otherOption] }),
    'must exactly match one of the options',
    '/accessory/initial_options/1',
  ],
  [
    'two options with one value',
    select({ options: [option, option] }),
    'must be unique among the options',
    '/accessory/options/1/value',
  ],
  [
    'an unknown broadcast',
    paragraph({ type: 'broadcast', range: 'world' }),
    'must be a valid enum value',
    '/elements/0/elements/0/range',
  ],
  [
    'a list of no kind',
    {
      type: 'rich_text',
      elements: [
        { type: 'rich_text_list', elements: [{ type: 'rich_text_section', elements: [] }] },
      ],
    },
    'missing required field: style',
    '/elements/0',
  ],
  [
    'a wide border',
    { type: 'rich_text', elements: [{ type: 'rich_text_quote', elements: [], border: 2 }] },
    'must be a valid enum value',
    '/elements/0/border',
  ],
  [
    'a negative list offset',
    {
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_list',
          style: 'ordered',
          offset: -1,
          elements: [{ type: 'rich_text_section', elements: [] }],
        },
      ],
    },
    'must be greater than 0',
    '/elements/0/offset',
  ],
];

test.each(WRONG)('refused: %s', (_, block, message, pointer, surface) => {
  expect(validateBlocks([block], surface ?? 'message')).toEqual([
    { message, pointer: `/blocks/0${pointer}` },
  ]);
});
