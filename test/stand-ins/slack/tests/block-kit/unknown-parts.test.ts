import { expect, test } from 'vitest';
import { validateBlocks } from '../../block-kit/validate.ts';
import { button, paragraph, type Refusal, section, select } from './builders.ts';
import { input, option, plain } from './examples.ts';

const text = plain('Text');

const UNKNOWN: Refusal[] = [
  ['an unknown block', { type: 'marquee' }, 'unsupported type: marquee', '/type'],
  ['a block that the app doesn’t show', { type: 'video' }, 'unsupported type: video', '/type'],
  [
    'a block named like a property of objects',
    { type: 'constructor' },
    'unsupported type: constructor',
    '/type',
  ],
  [
    'an unknown element',
    section({ type: 'slider' }),
    'unsupported type: slider',
    '/accessory/type',
  ],
  [
    'an unknown property of a block',
    { type: 'divider', color: 'red' },
    'invalid additional property: color',
    '',
  ],
  [
    'an unknown property with a slash',
    { type: 'divider', 'a/b': 1 },
    'invalid additional property: a/b',
    '',
  ],
  [
    'a property named like one of objects',
    { type: 'divider', toString: 1 },
    'invalid additional property: toString',
    '',
  ],
  [
    'an unknown property of an element',
    button({ color: 'red' }),
    'invalid additional property: color',
    '/elements/0',
  ],
  [
    'emoji in mrkdwn',
    { type: 'section', text: { type: 'mrkdwn', text: 'x', emoji: true } },
    'invalid additional property: emoji',
    '/text',
  ],
  [
    'verbatim in plain text',
    { type: 'header', text: { ...text, verbatim: true } },
    'invalid additional property: verbatim',
    '/text',
  ],
  [
    'mrkdwn in a header',
    { type: 'header', text: { type: 'mrkdwn', text: 'x' } },
    'unsupported type: mrkdwn',
    '/text/type',
  ],
  [
    'mrkdwn in a menu option',
    select({ options: [{ ...option, text: { type: 'mrkdwn', text: 'x' } }] }),
    'unsupported type: mrkdwn',
    '/accessory/options/0/text/type',
  ],
  [
    'mrkdwn in an overflow option',
    section({ type: 'overflow', options: [{ ...option, text: { type: 'mrkdwn', text: 'x' } }] }),
    'unsupported type: mrkdwn',
    '/accessory/options/0/text/type',
  ],
  [
    'an address in a menu option',
    select({ options: [{ ...option, url: 'https://example.com' }] }),
    'invalid additional property: url',
    '/accessory/options/0',
  ],
  [
    'options of an external menu',
    section({ type: 'external_select', options: [option] }),
    'invalid additional property: options',
    '/accessory',
  ],
  [
    'a placeholder of checkboxes',
    section({ type: 'checkboxes', options: [option], placeholder: text }),
    'invalid additional property: placeholder',
    '/accessory',
  ],
  [
    'a button among context elements',
    { type: 'context', elements: [{ type: 'button', text }] },
    'unsupported type: button',
    '/elements/0/type',
  ],
  [
    'a text in actions',
    { type: 'actions', elements: [text] },
    'unsupported type: plain_text',
    '/elements/0/type',
  ],
  [
    'an image in actions',
    {
      type: 'actions',
      elements: [{ type: 'image', alt_text: 'x', image_url: 'https://example.com' }],
    },
    'unsupported type: image',
    '/elements/0/type',
  ],
  [
    'an unknown rich text element',
    paragraph({ type: 'canvas' }),
    'unsupported type: canvas',
    '/elements/0/elements/0/type',
  ],
  [
    'text outside a section of a rich text',
    { type: 'rich_text', elements: [{ type: 'text', text: 'x' }] },
    'unsupported type: text',
    '/elements/0/type',
  ],
  [
    'a mention in preformatted text',
    {
      type: 'rich_text',
      elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'user', user_id: 'U1' }] }],
    },
    'unsupported type: user',
    '/elements/0/elements/0/type',
  ],
  [
    'an unknown style flag',
    paragraph({ type: 'text', text: 'x', style: { blink: true } }),
    'invalid additional property: blink',
    '/elements/0/elements/0/style',
  ],
  [
    'dispatch_action of a file input',
    input({ type: 'file_input' }, { dispatch_action: true }),
    'invalid additional property: dispatch_action',
    '',
    'modal',
  ],
];

test.each(UNKNOWN)('refused: %s', (_, block, message, pointer, surface) => {
  expect(validateBlocks([block], surface ?? 'message')).toEqual([
    { message, pointer: `/blocks/0${pointer}` },
  ]);
});
