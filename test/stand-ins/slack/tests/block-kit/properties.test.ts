import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyUrl } from '../../../../any-text.ts';
import {
  type Surface,
  validateBlocks,
  validateUnfurl,
  validateView,
} from '../../block-kit/validate.ts';
import { CHOSEN_ELEMENTS, CLICKED_ELEMENTS, EVERYWHERE, NOT_IN_UNFURLS } from './examples.ts';

const chars = (max: number) =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: max })
    .map((text) => text.replaceAll('\0', '0').slice(0, max).toWellFormed());
const plain = (max: number) => fc.record({ type: fc.constant('plain_text'), text: chars(max) });
const mrkdwn = (max: number) =>
  fc.record(
    { type: fc.constant('mrkdwn'), text: chars(max), verbatim: fc.boolean() },
    { requiredKeys: ['type', 'text'] },
  );
const anyText = (max: number) => fc.oneof(plain(max), mrkdwn(max));
const element = fc.constantFrom(
  ...Object.values(CHOSEN_ELEMENTS),
  ...Object.values(CLICKED_ELEMENTS),
);
const option = fc.record({ text: plain(75), value: chars(75) });
const options = (max: number) =>
  fc.uniqueArray(option, { minLength: 1, maxLength: max, selector: ({ value }) => value });
const select = options(100).chain((offered) =>
  fc.record(
    {
      type: fc.constant('static_select'),
      options: fc.constant(offered),
      initial_option: fc.constantFrom(...offered),
      placeholder: plain(150),
    },
    { requiredKeys: ['type', 'options'] },
  ),
);
const run = fc.oneof(
  fc.record({ type: fc.constant('text'), text: chars(3000) }),
  fc.record({ type: fc.constant('link'), url: anyUrl, text: chars(100) }),
  fc.constant({ type: 'user', user_id: 'U0ANA' }),
);
const paragraph = fc.record({
  type: fc.constant('rich_text_section'),
  elements: fc.array(run, { maxLength: 5 }),
});

const block = fc.oneof(
  fc.record({ type: fc.constant('section'), text: anyText(3000) }),
  fc.record({
    type: fc.constant('section'),
    fields: fc.array(anyText(2000), { minLength: 1, maxLength: 10 }),
    accessory: fc.oneof(element, select),
  }),
  fc.record({ type: fc.constant('header'), text: plain(150) }),
  fc.record({
    type: fc.constant('context'),
    elements: fc.array(anyText(3000), { minLength: 1, maxLength: 10 }),
  }),
  fc.record({
    type: fc.constant('actions'),
    elements: fc.uniqueArray(element, { minLength: 1, maxLength: 25 }),
  }),
  fc.record({
    type: fc.constant('image'),
    image_url: anyUrl,
    alt_text: chars(2000),
  }),
  fc.record({
    type: fc.constant('rich_text'),
    elements: fc.array(paragraph, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    type: fc.constant('input'),
    label: plain(2000),
    element: fc.oneof(select, fc.constant({ type: 'plain_text_input' })),
  }),
);
const blocks = fc
  .array(block, { minLength: 1, maxLength: 20 })
  .map((list) => list.map((each, i) => ({ ...each, block_id: `block-${i}` })));

type Json = { [name: string]: unknown };

/** Every object of a payload, with its path. */
function objectsOf(node: unknown, at = ''): { object: Json; at: string }[] {
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.entries(node).flatMap(([name, value]) => objectsOf(value, `${at}/${name}`));
  return Array.isArray(node) ? below : [{ object: { ...node }, at }, ...below];
}

/** A copy of the payload with the value at this path replaced. */
function replaced(node: unknown, path: string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (Array.isArray(node)) {
    return node.map((item, i) => (`${i}` === name ? replaced(item, rest, value) : item));
  }
  const object: Json = { ...(typeof node === 'object' ? node : {}) };
  return { ...object, [name]: replaced(object[name], rest, value) };
}

const SURFACES: Surface[] = ['message', 'unfurl', 'modal', 'home'];

describe('random blocks within the limits', () => {
  test('are accepted in messages, modals, and home tabs', () => {
    fc.assert(
      fc.property(blocks, fc.constantFrom<Surface>('message', 'modal', 'home'), (list, surface) => {
        expect(validateBlocks(list, surface)).toEqual([]);
      }),
    );
  });

  test('are refused at the object with an unknown property', () => {
    fc.assert(
      fc.property(blocks, fc.nat(), (list, pick) => {
        const objects = objectsOf(list);
        const chosen = objects[pick % objects.length];
        const path = `${chosen?.at}/surprise`.split('/').slice(1);
        expect(validateBlocks(replaced(list, path, true), 'message')).toContainEqual({
          message: 'invalid additional property: surprise',
          pointer: `/blocks${chosen?.at}`,
        });
      }),
    );
  });

  test('are refused if one text is empty, far too long, or malformed', () => {
    const bad = fc.constantFrom('', 'x'.repeat(12_001), 'a\0b', '\ud83c', 5, null);
    fc.assert(
      fc.property(blocks, fc.nat(), bad, (list, pick, text) => {
        const texts = objectsOf(list).filter(({ object }) => typeof object.text === 'string');
        const chosen = texts[pick % Math.max(texts.length, 1)];
        fc.pre(chosen !== undefined);
        const at = `${chosen?.at}/text`;
        const found = validateBlocks(replaced(list, at.split('/').slice(1), text), 'message');
        expect(found.map(({ pointer }) => pointer)).toContain(`/blocks${at}`);
      }),
    );
  });

  test('are refused if the type of one object is unknown', () => {
    fc.assert(
      fc.property(blocks, fc.nat(), (list, pick) => {
        const kinds = objectsOf(list).filter(({ object }) => typeof object.type === 'string');
        const at = `${kinds[pick % kinds.length]?.at}/type`;
        const found = validateBlocks(replaced(list, at.split('/').slice(1), 'marquee'), 'message');
        expect(found).toContainEqual({
          message: 'unsupported type: marquee',
          pointer: `/blocks${at}`,
        });
      }),
    );
  });
});

describe('for any input', () => {
  const anything = fc.anything({ withNullPrototype: true, withSparseArray: true });

  test('no check throws', () => {
    fc.assert(
      fc.property(anything, fc.constantFrom(...SURFACES), (value, surface) => {
        expect(Array.isArray(validateBlocks(value, surface))).toBe(true);
        expect(Array.isArray(validateBlocks([value], surface))).toBe(true);
        expect(Array.isArray(validateView(value))).toBe(true);
        expect(Array.isArray(validateUnfurl(value))).toBe(true);
      }),
    );
  });

  test('no check throws for a valid block with one part replaced, or changes its input', () => {
    const kinds = Object.values({ ...EVERYWHERE, ...NOT_IN_UNFURLS });
    fc.assert(
      fc.property(fc.constantFrom<object>(...kinds), fc.nat(), anything, (good, pick, value) => {
        const parts = objectsOf(good).flatMap(({ object, at }) =>
          Object.keys(object).map((name) => `${at}/${name}`),
        );
        const path = (parts[pick % parts.length] ?? '').split('/').slice(1);
        const block = replaced(good, path, value);
        const before = structuredClone(block);
        validateBlocks([block], 'message');
        expect(block).toEqual(before);
      }),
    );
  });
});
