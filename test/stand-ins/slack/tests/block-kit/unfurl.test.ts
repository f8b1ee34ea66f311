import { describe, expect, test } from 'vitest';
import { validateUnfurl } from '../../block-kit/validate.ts';
import { EVERYWHERE, plain, richText } from './examples.ts';

const divider = { type: 'divider' };
const blocks = Object.values(EVERYWHERE);

describe('an unfurl', () => {
  test('can have blocks, a color, and a preview', () => {
    const preview = {
      title: plain('Spring banner'),
      subtitle: plain('In review'),
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

  test.each(['is_app_unfurl', 'app_id', 'actions', 'colour', 'text', 'image_url'])(
    'can’t have the property %s',
    (name) => {
      expect(validateUnfurl({ blocks, [name]: 'x' })).toEqual([
        { message: `invalid additional property: ${name}`, pointer: '' },
      ]);
    },
  );

  test('must have content', () => {
    expect(validateUnfurl({ color: 'good' })).toEqual([
      { message: 'missing required field: blocks', pointer: '' },
    ]);
    expect(validateUnfurl('card')).toEqual([{ message: 'must provide an object', pointer: '' }]);
  });

  test.each(['good', 'warning', 'danger', '#a1b2c3', 'A1B2C3'])(
    'can have the color %s',
    (color) => {
      expect(validateUnfurl({ blocks, color })).toEqual([]);
    },
  );

  test.each(['red', '#12345', '##123456', '', '#a1b2c3d4'])(
    'can’t have the color "%s"',
    (color) => {
      expect(validateUnfurl({ blocks, color })).toEqual([
        { message: expect.any(String), pointer: '/color' },
      ]);
    },
  );

  test('can use each block_id only once', () => {
    const same = { type: 'divider', block_id: 'same' };
    expect(validateUnfurl({ blocks: [same, same] })).toEqual([
      { message: '`block_id` "same" already exists', pointer: '/blocks/1/block_id' },
    ]);
  });
});
