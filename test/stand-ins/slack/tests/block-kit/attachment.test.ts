import { describe, expect, test } from 'vitest';
import { validateAttachments, validateUnfurl } from '../../block-kit/validate.ts';
import { EVERYWHERE, plain, richText } from './examples.ts';

const divider = { type: 'divider' };
const blocks = Object.values(EVERYWHERE);

describe('an unfurl', () => {
  test('can have blocks, a color, and a preview', () => {
    const preview = {
      title: plain('Spring banner'),
      subtitle: plain('In review'),
      iconUrl: 'https://example.com/icon.png',
    };
    expect(validateUnfurl({ blocks, color: '#439FE0', preview })).toEqual([]);
  });

  test('can’t have rich text', () => {
    expect(validateUnfurl({ blocks: [richText] })).toEqual([
      { message: 'unsupported type: rich_text', pointer: '/blocks/0/type' },
    ]);
  });

  test('can have at most 50 blocks', () => {
    expect(validateUnfurl({ blocks: Array.from({ length: 51 }, () => divider) })).toEqual([
      { message: 'no more than 50 items allowed', pointer: '/blocks' },
    ]);
  });

  test('can have a preview in plain text', () => {
    const title = { type: 'mrkdwn', text: '*Card*' };
    expect(validateUnfurl({ blocks, preview: { title, color: 'red' } })).toEqual([
      { message: 'unsupported type: mrkdwn', pointer: '/preview/title/type' },
      { message: 'invalid additional property: color', pointer: '/preview' },
    ]);
  });

  test.each(['is_app_unfurl', 'app_id', 'actions', 'colour'])(
    'can’t have the property %s',
    (name) => {
      expect(validateUnfurl({ blocks, [name]: 'x' })).toEqual([
        { message: `invalid additional property: ${name}`, pointer: '' },
      ]);
    },
  );

  test('must have content', () => {
    expect(validateUnfurl({ color: 'good' })).toHaveLength(1);
    expect(validateUnfurl('card')).toEqual([{ message: 'must provide an object', pointer: '' }]);
  });
});

describe('the attachments of a message', () => {
  test('can have the legacy texts', () => {
    const attachment = {
      fallback: 'Spring banner',
      pretext: 'New:',
      text: 'In review',
      title: 'Spring banner',
      title_link: 'https://example.com/card/1',
      author_name: 'Ana',
      author_link: 'https://example.com/ana',
      fields: [{ title: 'Brand', value: 'Acme', short: true }],
      footer: 'Design requests',
      ts: 1_790_000_000,
      mrkdwn_in: ['text'],
    };
    expect(validateAttachments([attachment, { blocks: [richText] }])).toEqual([]);
  });

  test.each(['good', 'warning', 'danger', '#a1b2c3', 'A1B2C3'])(
    'can have the color %s',
    (color) => {
      expect(validateAttachments([{ blocks, color }])).toEqual([]);
    },
  );

  test.each(['red', '#12345', '##123456', '', '#a1b2c3d4'])(
    'can’t have the color "%s"',
    (color) => {
      expect(validateAttachments([{ blocks, color }])).toEqual([
        { message: expect.any(String), pointer: '/attachments/0/color' },
      ]);
    },
  );

  test('can have footers of at most 300 characters', () => {
    const attachment = (size: number) => ({ text: 'x', footer: 'x'.repeat(size) });
    expect(validateAttachments([attachment(300)])).toEqual([]);
    expect(validateAttachments([attachment(301)])).toEqual([
      { message: 'must be less than 301 characters', pointer: '/attachments/0/footer' },
    ]);
  });

  test('can be at most 100', () => {
    const many = (size: number) => Array.from({ length: size }, () => ({ text: 'x' }));
    expect(validateAttachments(many(100))).toEqual([]);
    expect(validateAttachments(many(101))).toEqual([
      { message: 'no more than 100 items allowed', pointer: '/attachments' },
    ]);
  });

  test('can use each block_id only once', () => {
    const attachment = { blocks: [{ type: 'divider', block_id: 'same' }] };
    expect(validateAttachments([attachment, attachment])).toEqual([
      {
        message: '`block_id` "same" already exists',
        pointer: '/attachments/1/blocks/0/block_id',
      },
    ]);
  });
});
