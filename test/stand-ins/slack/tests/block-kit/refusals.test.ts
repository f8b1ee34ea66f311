import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Surface,
  validateBlocks,
  validateUnfurl,
  validateView,
} from '../../block-kit/validate.ts';
import { CLICKED, EVERYWHERE, input, KINDS, modalWith, NOT_IN_UNFURLS, TYPED } from './examples.ts';
import { objectsOf, problems, replaced } from './parts.ts';

const SURFACES: Surface[] = ['message', 'unfurl', 'modal', 'home'];
const each = Object.entries(KINDS);

describe('every kind of block', () => {
  test.each(each)('is accepted as it is, also twice: %s', (_, block) => {
    expect(problems(block)).toEqual([]);
    const { block_id: _id, ...unnamed } = { block_id: '', ...block };
    expect(validateView(modalWith(unnamed, unnamed))).toEqual([]);
  });

  test.each(each)('is refused with an unknown property or kind anywhere: %s', (_, block) => {
    for (const { object, at } of objectsOf(block)) {
      for (const name of ['surprise', 'toString', 'a/b']) {
        const path = [...at.split('/').slice(1), name];
        const message = `invalid additional property: ${name}`;
        expect(problems(replaced(block, path, true))).toContainEqual([at, message]);
      }
      if (typeof object.type !== 'string') continue;
      for (const kind of ['marquee', 'constructor']) {
        const wrong = [`${at}/type`, `unsupported type: ${kind}`];
        expect(problems(replaced(block, `${at}/type`, kind))).toContainEqual(wrong);
      }
      const missing = [at, 'missing required field: type'];
      expect(problems(replaced(block, `${at}/type`, undefined))).toContainEqual(missing);
    }
  });

  test.each(each)('is refused with a text that is none anywhere: %s', (_, block) => {
    const texts = objectsOf(block).filter(({ object }) => typeof object.text === 'string');
    for (const { at } of texts) {
      for (const [value, message] of [
        ['', 'must be more than 0 characters'],
        ['a\0b', 'must be valid UTF-8 without NUL characters'],
        ['a\ud83cb', 'must be valid UTF-8 without NUL characters'],
        [5, 'must provide a string'],
        [null, 'must provide a string'],
      ]) {
        expect(problems(replaced(block, `${at}/text`, value))).toContainEqual([
          `${at}/text`,
          message,
        ]);
      }
    }
  });

  test('is checked without an error, and unchanged, whatever is in it', () => {
    const anything = fc.anything({ withNullPrototype: true, withSparseArray: true });
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(KINDS)), fc.nat(), anything, (good, n, any) => {
        const parts = objectsOf(good).flatMap(({ object, at }) =>
          Object.keys(object).map((name) => `${at}/${name}`),
        );
        const block = replaced(good, parts[n % parts.length] ?? '', any);
        const before = structuredClone(block);
        problems(block);
        expect(block).toEqual(before);
        for (const surface of SURFACES) validateBlocks(any, surface);
        for (const value of [any, { type: 'home', blocks: any }]) validateView(value);
        validateUnfurl(any);
      }),
    );
  });
});

describe('where', () => {
  const refused = (type: string, pointer: string) => [
    [`${pointer}/type`, `unsupported type: ${type}`],
  ];

  test.each(SURFACES)('a block may be: %s', (surface) => {
    for (const [type, block] of Object.entries({ ...EVERYWHERE, ...NOT_IN_UNFURLS })) {
      const isRefused = surface === 'unfurl' && type in NOT_IN_UNFURLS;
      const pointers = validateBlocks([block], surface).map(({ pointer }) => pointer);
      expect(pointers).toEqual(isRefused ? ['/blocks/0/type'] : []);
    }
  });

  test.each(Object.entries(TYPED))('a %s isn’t accepted', (type, element) => {
    const actions = { type: 'actions', elements: [element] };
    expect(problems(actions)).toEqual(refused(type, '/elements/0'));
    if (type === 'plain_text_input') return;
    for (const surface of ['home', 'message'] as const) {
      const pointers = validateBlocks([input(element)], surface).map(({ pointer }) => pointer);
      expect(pointers).toEqual(['/blocks/0/element/type']);
    }
  });

  test.each(Object.entries(CLICKED))('a %s isn’t accepted', (type, element) => {
    expect(problems(input(element))).toEqual(refused(type, '/element'));
    expect(problems({ type: 'context', elements: [element] })).toEqual(
      refused(type, '/elements/0'),
    );
  });
});
