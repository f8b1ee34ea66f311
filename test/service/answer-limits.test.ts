import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJson } from '../../src/service/http/answer.ts';
import { MAX_CARD_FILES } from '../../src/service/operations/card.ts';
import {
  MAX_CARD_LABELS,
  MAX_ENTRIES,
  MAX_LABEL_CHARS,
} from '../../src/service/operations/loose-values.ts';
import { raw, startServer } from './local-server.ts';
import { clientOf } from './test-client.ts';

const TOO_MANY = MAX_ENTRIES + 5;
const listOf = (entry: string, count = TOO_MANY) => `[${Array(count).fill(entry).join(',')}]`;
const parseJson = (text: string) => readJson(text, (same) => same);
const numbered = (count: number, entry: (index: number) => unknown) =>
  JSON.stringify(Array.from({ length: count }, (_, index) => entry(index)));

async function clientReading(body: string) {
  return clientOf((await startServer(raw(200, body))).baseUrl);
}

async function cardWith(fields: string) {
  return (await clientReading(`{"data":{"id":"c",${fields}}}`)).getCard('c');
}

test('a card full of empty files is read, including the fields after them', async () => {
  const card = await cardWith(`"files":${listOf('{}', 340_000)},"title":"Spring banner"`);
  expect(card.title).toBe('Spring banner');
  expect(card.files).toHaveLength(MAX_CARD_FILES);
});

test('of many files the last ones are kept, since the last picture is shown', async () => {
  const card = await cardWith(`"files":${numbered(300, (index) => ({ name: `${index}.png` }))}`);
  expect(card.files.map(({ name }) => name)).toEqual(
    Array.from({ length: MAX_CARD_FILES }, (_, index) => `${200 + index}.png`),
  );
});

test.each([
  ['a comma list', JSON.stringify('a,'.repeat(500))],
  ['a list of texts', listOf('"a"', 500)],
  ['a list of objects', listOf('{"name":"a"}', 500)],
])('of many labels in %s the first ones are kept', async (_, labels) => {
  const card = await cardWith(`"labels":${labels},"tags":${labels},"brand":{"name":${labels}}`);
  expect([card.labels, card.tags]).toEqual(Array(2).fill(Array(MAX_CARD_LABELS).fill('a')));
});

test('long texts for display are shortened, and descriptions are not', async () => {
  const long = `"${'x'.repeat(150_000)}"`;
  const fields = ['title', 'dimensions', 'due_date', 'status', 'created_at', 'description'];
  const card = await cardWith(fields.map((name) => `"${name}":${long}`).join(','));
  const cut = 'x'.repeat(MAX_LABEL_CHARS);
  expect(card).toMatchObject({ title: cut, dimensions: cut, dueDate: { text: cut } });
  expect(card).toMatchObject({ status: { name: cut }, createdAt: undefined });
  expect(card.descriptionHtml).toHaveLength(150_000);
});

test('texts of many parts are shortened as a whole, and what is too long for an ID isn’t one', async () => {
  const many = listOf(`"${'x'.repeat(300)}"`, 200);
  const long = `"${'x'.repeat(10_000)}"`;
  const card = await cardWith(
    `"status":${many},"dimensions":${many},"product_type":${many},"brand":{"id":${long},"name":"x"},` +
      `"files":[{"id":${long},"name":${many},"ext":${long},"type":${many},"urls":{"full":"https://a.example/${'x'.repeat(10_000)}"}}]`,
  );
  const { files, status, brand, ...others } = card;
  const texts = [
    others.dimensions,
    others.productType,
    status?.name,
    files[0]?.name,
    files[0]?.type,
  ];
  expect(texts.map((text) => text?.length)).toEqual(Array(5).fill(MAX_LABEL_CHARS));
  expect([brand?.id, files[0]?.id, files[0]?.urls.full]).toEqual(Array(3).fill(undefined));
  expect(JSON.stringify(card).length).toBeLessThan(10 * MAX_LABEL_CHARS);
});

test('deeply nested values are read as empty, without affecting those beside them', () => {
  for (const [opening, closing] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const deep = opening.repeat(300_000) + closing.repeat(300_000).replace(/^/, '0');
    const read = JSON.stringify(parseJson(`{"before":1,"deep":${deep},"after":2}`));
    expect(read).toMatch(/^\{"before":1,"deep":.{20,150},"after":2\}$/);
  }
});

test('an ordinary answer is read unchanged', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), fc.constantFrom(0, 2), (json, indent) => {
      const text = JSON.stringify(JSON.parse(json), null, indent);
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('the first entries of a list that is too long are read unchanged', () => {
  const text = fc.string({ unit: fc.constantFrom(...'"\\[]{},:a\u20ac') });
  const entry = fc.oneof(text, fc.array(text, { maxLength: 2 }), fc.record({ a: text }));
  fc.assert(
    fc.property(entry, (value) => {
      const list = parseJson(listOf(JSON.stringify(value)));
      expect(list).toEqual(Array(MAX_ENTRIES).fill(value));
    }),
    { numRuns: 50 },
  );
});
