import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DesignApiError } from '../../src/service/errors.ts';
import { anyUrl } from '../any-text.ts';
import { json, startServer } from './local-server.ts';
import { API_KEY, clientOf, failureOf, NEW_CARD } from './test-client.ts';

const CARD = {
  id: 'card-7',
  title: 'Spring banner',
  description: '<p>Hello</p>',
  request_type: null,
  product_type: 'Graphics',
  dimensions: 'Web: 1200x600\nPrint: A4',
  created_by: null,
  labels: 'Urgent',
  tags: '',
  text_copy: '<b>Buy</b>',
  file_formats: 'PNG',
  software: 'Figma',
  status: { id: 's1', name: 'In progress', color: '#12aBef' },
  due_date: null,
  created_at: '05-Jan-2026 01:30 PM',
  updated_at: '06-Jan-2026 12:05 AM',
  files: [
    {
      id: 'f1',
      name: 'banner.png',
      ext: '.PNG',
      type: 'final',
      urls: {
        full: 'https://files.example.com/a.png',
        large: 'https://files.example.com/a.png?class=',
        medium: 'javascript:alert(1)',
        small: 7,
      },
    },
  ],
  brand: null,
};

async function readWith(fields: object, timezone = 'UTC') {
  const server = await startServer(json(200, { data: { ...CARD, ...fields } }));
  return clientOf(server.baseUrl, { timezone }).getCard('card-7');
}

test('a card is read with every documented field', async () => {
  expect(await readWith({})).toEqual({
    id: 'card-7',
    title: 'Spring banner',
    descriptionHtml: '<p>Hello</p>',
    textCopyHtml: '<b>Buy</b>',
    requestType: undefined,
    productType: 'Graphics',
    dimensions: 'Web: 1200x600\nPrint: A4',
    createdBy: undefined,
    labels: ['Urgent'],
    tags: [],
    fileFormats: 'PNG',
    software: 'Figma',
    status: { id: 's1', name: 'In progress', color: '#12aBef' },
    dueDate: undefined,
    createdAt: new Date('2026-01-05T13:30:00Z'),
    updatedAt: new Date('2026-01-06T00:05:00Z'),
    files: [
      {
        id: 'f1',
        name: 'banner.png',
        ext: 'png',
        type: 'final',
        urls: {
          full: 'https://files.example.com/a.png',
          large: 'https://files.example.com/a.png?class=',
          medium: undefined,
          small: undefined,
        },
      },
    ],
    brand: undefined,
  });
});

test('the request has the key, accepts JSON, and escapes the ID into one path segment', async () => {
  const server = await startServer(json(200, { data: CARD }));
  await clientOf(`${server.baseUrl}/v1/`).getCard('a/b?c#d %2e');
  const [request] = server.requests;
  expect(request?.url).toBe('/v1/card/a%2Fb%3Fc%23d%20%252e');
  expect(request?.headers['x-api-key']).toBe(API_KEY);
  expect(request?.headers.accept).toBe('application/json');
});

test.each(['', '.', '..', '\ud800'])('the ID %j is not found, without a call', async (id) => {
  const server = await startServer(json(200, { data: CARD }));
  const client = clientOf(server.baseUrl);
  expect(await failureOf(client.getCard(id))).toMatchObject({ code: 'not_found' });
  expect(server.requests).toEqual([]);
});

test.each([
  ['an object with only an ID', { id: 'b1' }, { id: 'b1', name: undefined }],
  ['a list of one', [{ id: 'b1', name: 'Acme' }], { id: 'b1', name: 'Acme' }],
  ['a list of one number', [12], { id: '12', name: undefined }],
  ['a list', [{ id: 'b1', name: 'Acme' }, 'Bit'], { id: undefined, name: 'Acme, Bit' }],
])('a brand or request type given as %s is read', async (_, value, expected) => {
  const card = await readWith({ brand: value, request_type: value });
  expect([card.brand, card.requestType]).toEqual([expected, expected]);
});

test.each([
  ['an object without text', { id: 1 }, undefined],
  ['a flag', true, undefined],
])('an author given as %s is read', async (_, value, expected) => {
  expect((await readWith({ created_by: value })).createdBy).toEqual(expected);
});

test.each([
  ['a comma list', 'Urgent, Print ,', ['Urgent', 'Print']],
  ['a list of texts', ['Urgent', '', 'Print, large'], ['Urgent', 'Print, large']],
  ['a list of objects', [{ name: 'Urgent' }, null, { id: 3 }], ['Urgent']],
])('labels and tags given as %s are read', async (_, value, expected) => {
  const card = await readWith({ labels: value, tags: value });
  expect([card.labels, card.tags]).toEqual([expected, expected]);
});

test.each([
  ['a bare name', 'Done', { name: 'Done' }],
  [
    'a list of one',
    [{ id: 's1', name: 'Done', color: '#00FF00' }],
    { id: 's1', name: 'Done', color: '#00FF00' },
  ],
  ['no name', { id: 's1', color: '#000000' }, undefined],
  [
    'another color format',
    { id: 9, name: 'Done', color: 'red' },
    { id: '9', name: 'Done', color: undefined },
  ],
])('a status with %s is read', async (_, status, expected) => {
  expect((await readWith({ status })).status).toEqual(expected);
});

test.each([
  ['the service’s form', '05-Jan-2026 01:30 PM', '05-Jan-2026 01:30 PM', '2026-01-05T08:00:00Z'],
  ['a day', '05-Jan-2026', '05-Jan-2026', '2026-01-04T18:30:00Z'],
  ['ISO with a zone', '2026-01-05T10:00:00Z', '2026-01-05T10:00:00Z', '2026-01-05T10:00:00Z'],
  ['ISO without a zone', '2026-01-05', '2026-01-05', '2026-01-04T18:30:00Z'],
  ['a small number', 7, '7', undefined],
])('a due date given as %s is read in the service’s time zone', async (_, value, text, moment) => {
  const { dueDate } = await readWith({ due_date: value }, 'Asia/Kolkata');
  expect(dueDate).toEqual(
    moment === undefined
      ? { text }
      : { text, date: new Date(moment), day: '2026-01-05', isWholeDay: /day|without/.test(_) },
  );
});

test('a card without anything has the requested ID; files may be null, and invalid entries are left out', async () => {
  const { baseUrl } = await startServer(json(200, { data: {} }));
  const empty = { id: 'card-7', title: '', labels: [], files: [] };
  expect(await clientOf(baseUrl).getCard('card-7')).toMatchObject(empty);
  expect((await readWith({ files: null })).files).toEqual([]);
  expect((await readWith({ files: [null, 3, { urls: null }] })).files).toMatchObject([
    { name: 'file', urls: {} },
  ]);
});

test.each(['', '.', 'a/b', 'a\u0000b', 'x'.repeat(201)])(
  'a card whose ID no link can contain (%j) has the ID that was asked for',
  async (id) => {
    expect((await readWith({ id })).id).toBe('card-7');
  },
);

test('a card has the ID that the service gives it, however its link is spelled', async () => {
  expect((await readWith({ id: 'CARD-7' })).id).toBe('CARD-7');
});

const RUNS = { numRuns: 100 };

/** A server that answers with whatever the property under test puts into `next`. */
async function settableServer() {
  const next = { status: 200, body: '' };
  const server = await startServer((response) => {
    response.writeHead(next.status).end(next.body);
  });
  return { next, client: clientOf(server.baseUrl) };
}

test('a card with any JSON value in any of its fields is read', async () => {
  const { next, client } = await settableServer();
  const data = fc.record(
    Object.fromEntries(Object.keys(CARD).map((name) => [name, fc.jsonValue()])),
    {
      requiredKeys: [],
    },
  );
  await fc.assert(
    fc.asyncProperty(data, async (card) => {
      next.body = JSON.stringify({ data: card });
      const read = await client.getCard('asked');
      expect(read.id).not.toBe('');
      expect(Array.isArray(read.labels) && Array.isArray(read.files)).toBe(true);
    }),
    RUNS,
  );
});

test('a file with any JSON value in any of its fields is read', async () => {
  const { next, client } = await settableServer();
  const names = ['id', 'name', 'ext', 'type', 'urls', 'full'];
  const file = fc.record(Object.fromEntries(names.map((name) => [name, fc.jsonValue()])));
  await fc.assert(
    fc.asyncProperty(file, fc.oneof(anyUrl, fc.jsonValue()), async (entry, full) => {
      next.body = JSON.stringify({ data: { files: [entry, { urls: { full } }] } });
      const { files } = await client.getCard('asked');
      expect(files).toHaveLength(2);
      expect(files[1]?.urls.full ?? 'http').toMatch(/^http/);
    }),
    RUNS,
  );
});

test('any JSON with any status gives a result or a DesignApiError', async () => {
  const { next, client } = await settableServer();
  const statuses = fc.constantFrom(200, 201, 301, 400, 401, 404, 418, 429);
  const body = fc.oneof(
    fc.json(),
    fc.string(),
    fc
      .record({ data: fc.jsonValue(), message: fc.jsonValue(), details: fc.jsonValue() })
      .map((x) => JSON.stringify(x)),
  );
  await fc.assert(
    fc.asyncProperty(statuses, body, async (status, text) => {
      next.status = status;
      next.body = text;
      const outcomes = await Promise.allSettled([
        client.getCard('asked'),
        client.listTags(),
        client.listBrands(),
        client.listRequestTypes(),
        client.listTasks({ projectId: 'p' }),
        client.createCard(NEW_CARD),
      ]);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(DesignApiError);
      }
    }),
    { numRuns: 50 },
  );
});
