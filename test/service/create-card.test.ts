import { expect, test } from 'vitest';
import { json, raw, startServer } from './local-server.ts';
import { API_KEY, clientOf, failureOf, NEW_CARD } from './test-client.ts';

test('a card is sent once, as JSON under data, on its own connection', async () => {
  const server = await startServer(json(200, { data: { id: 'c1' } }));
  const client = clientOf(server.baseUrl);
  const card = { ...NEW_CARD, isDraft: true, brandId: undefined, referenceFiles: ['x'] };
  expect(await client.createCard(card)).toEqual({ cardId: 'c1' });
  await client.createCard(NEW_CARD);
  const [request] = server.requests;
  expect(request).toMatchObject({ method: 'POST', url: '/card' });
  expect(JSON.parse(request?.body ?? '')).toEqual({
    data: { ...NEW_CARD, isDraft: true, referenceFiles: ['x'] },
  });
  expect(request?.headers).toMatchObject({
    'x-api-key': API_KEY,
    accept: 'application/json',
    'content-type': 'application/json',
    connection: 'close',
  });
  expect(server.connections()).toBe(2);
});

test.each<[what: string, body: unknown, id?: string]>([
  ['a card', { data: { id: 'c1', title: 'T' } }],
  ['a bare id', { id: 'c1' }],
  ['an _id', { data: { _id: 'c1' } }],
  ['a cardId', { cardId: 'c1', status: true }],
  ['a task_id', { data: { task_id: 'c1' } }],
  ['data that is the id', { data: 'c1', status: true }],
  ['a nested card', { data: { card: { id: 'c1' } } }],
  ['a nested task', { data: { task: { _id: 'c1' } } }],
  ['a nested data', { data: { data: { id: 'c1' } } }],
  ['a list of one', { data: [{ id: 'c1' }] }],
  ['a number', { data: { id: 4711 } }, '4711'],
  ['a bare list', [{ id: 'c1' }]],
  ['a card beside the envelope', { card: { id: 'c1' }, message: 'ok' }],
  ['an id in data before one outside', { id: 'trace-9', data: { id: 'c1' } }],
])('the ID is found in %s', async (_, body, cardId = 'c1') => {
  const server = await startServer(json(200, body));
  expect(await clientOf(server.baseUrl).createCard(NEW_CARD)).toEqual({ cardId });
});

test.each([
  ['a message alone', json(200, { status: true, message: 'Task created' })],
  ['data that is a sentence', json(200, { data: 'Task created successfully' })],
  ['data that is a word', json(200, { data: 'OK' })],
  ['an id that JSON made inexact', raw(200, '{"data":{"id":123456789012345678901}}')],
  ['a bare text', json(201, 'done')],
  ['null', json(200, null)],
  ['201 with nothing', raw(201, '')],
  ['202', raw(202, '')],
  ['204', raw(204, '')],
  ['broken compression', raw(200, 'x', { 'content-encoding': 'gzip' })],
  ['a body over the limit', raw(200, `"${'x'.repeat(5 * 1024 * 1024)}"`)],
])('a 2xx with %s is a card without an ID', async (_, answer) => {
  const server = await startServer(answer);
  expect(await clientOf(server.baseUrl).createCard(NEW_CARD)).toEqual({ cardId: undefined });
  expect(server.requests).toHaveLength(1);
});

test.each([
  ['status false', json(200, { status: false, message: 'odd', error: 'odd' })],
  ['status false and an ID', json(201, { status: false, data: { id: 'c1' } })],
  ['status "false"', json(200, { status: 'False', data: null })],
  [
    'the error of a call over the limit',
    json(200, { statusCode: 429, message: 'Later', error: 'Too Many Requests' }),
  ],
  ['HTML', raw(200, '<html>')],
  ['a text', raw(202, 'Accepted')],
  ['truncated JSON', raw(200, '{"data":{"id":"c')],
])('a 2xx with %s leaves it unknown whether there is a card', async (_, answer) => {
  const server = await startServer(answer);
  const error = await failureOf(clientOf(server.baseUrl).createCard(NEW_CARD));
  expect(error).toMatchObject({ code: 'outcome_unknown', operation: 'createCard' });
  expect(server.requests).toHaveLength(1);
});

test.each([
  [400, 'invalid_request'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [413, 'invalid_request'],
  [429, 'rate_limited'],
  [302, 'outcome_unknown'],
  [304, 'outcome_unknown'],
  [408, 'outcome_unknown'],
  [500, 'outcome_unknown'],
  [503, 'outcome_unknown'],
])('%i for a creation means %s, and it is sent once', async (status, code) => {
  const headers = { location: '/elsewhere', 'retry-after': '30' };
  const server = await startServer(json(status, { message: 'Not so' }, headers));
  const now = new Date('2026-01-05T12:00:00Z');
  const error = await failureOf(clientOf(server.baseUrl, { now: () => now }).createCard(NEW_CARD));
  expect(error).toMatchObject({ code, status, operation: 'createCard' });
  expect(error.retryAt).toEqual(
    code === 'rate_limited' ? new Date('2026-01-05T12:00:30Z') : undefined,
  );
  expect(server.requests).toHaveLength(1);
});

test.each([400, 401, 403, 404])(
  '%i from something other than the service leaves it unknown whether there is a card',
  async (status) => {
    for (const answer of [raw(status, '<html>'), raw(status, ''), json(status, { error: 'no' })]) {
      const server = await startServer(answer);
      const error = await failureOf(clientOf(server.baseUrl).createCard(NEW_CARD));
      expect(error).toMatchObject({ code: 'outcome_unknown', status });
      expect(server.requests).toHaveLength(1);
    }
  },
);

test('429 means that nothing was created, whoever says it', async () => {
  const server = await startServer(raw(429, '<html>', { 'retry-after': '30' }));
  const error = await failureOf(clientOf(server.baseUrl).createCard(NEW_CARD));
  expect(error.code).toBe('rate_limited');
});
