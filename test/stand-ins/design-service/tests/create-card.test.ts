import { connect } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { call, create, NEW_CARD, serviceFor } from './calling.ts';

test.each(Object.keys(NEW_CARD))(
  '%s is required and must be text that isn’t blank',
  async (name) => {
    const service = await serviceFor();
    for (const [value, text] of [
      [undefined, `${name} is required`],
      [null, `${name} must be a string`],
      [7, `${name} must be a string`],
      ['  \n', `${name} must not be blank`],
    ]) {
      const answer = await create(service, { [String(name)]: value });
      expect(answer.status).toBe(400);
      expect(answer.json).toEqual({
        status: false,
        message: expect.any(String),
        error: 'Validation Error',
        details: { [name]: text },
        statusCode: 400,
      });
    }
    expect(service.calls({ executed: true })).toEqual([]);
  },
);

test.each([
  [{ typeId: 'none' }, { typeId: 'typeId is not the id of a request type' }],
  [{ product: 'Sculpture' }, { product: expect.stringMatching(/Graphics, Video, .* Plus$/) }],
  [
    { typeId: 'type-video', product: 'Graphics' },
    { product: "product must be one of this type's: Video" },
  ],
  [{ brandId: 'none' }, { brandId: 'brandId is not the id of a brand' }],
  [{ brandId: '' }, { brandId: 'brandId is not the id of a brand' }],
  [{ brandId: null }, { brandId: 'brandId must be a string' }],
  [{ textCopy: [] }, { textCopy: 'textCopy must be a string' }],
  [{ isDraft: 'yes' }, { isDraft: 'isDraft must be true or false' }],
  [{ referenceFiles: 'a.png' }, { referenceFiles: 'referenceFiles must be an array' }],
  [{ priority: 'high' }, { priority: 'priority is not a field of a card' }],
  [
    { title: '', software: 1, brandId: 'none' },
    { title: 'title must not be blank', software: /string/, brandId: /brand/ },
  ],
])('%j is refused, and details name each field', async (fields, details) => {
  const service = await serviceFor();
  const answer = await create(service, fields);
  expect(answer.status).toBe(400);
  const expected = Object.fromEntries(
    Object.entries(details).map(([name, text]) => [
      name,
      text instanceof RegExp ? expect.stringMatching(text) : text,
    ]),
  );
  expect(answer.json).toHaveProperty('details', expected);
  expect(service.calls({ executed: true })).toEqual([]);
});

test('a type without products accepts all documented products, with the partner’s own name', async () => {
  const service = await serviceFor({ partnerName: 'Canvas' });
  const typeId = 'type-other';
  expect((await create(service, { typeId, product: 'Canvas Plus' })).status).toBe(200);
  expect((await create(service, { typeId, product: 'Partner Plus' })).status).toBe(400);
});

test.each([
  ['no wrapper', NEW_CARD],
  ['another wrapper', { card: NEW_CARD }],
  ['another field beside data', { data: NEW_CARD, status: true }],
  ['data that is a list', { data: [NEW_CARD] }],
  ['data that is null', { data: null }],
  ['a list', [NEW_CARD]],
  ['JSON null', 'null'],
  ['broken JSON', '{"data":'],
  ['no JSON at all', ''],
  [
    'bytes that aren’t UTF-8',
    Buffer.from(JSON.stringify({ data: { ...NEW_CARD, title: 'é' } }), 'latin1'),
  ],
])('%s gets 400', async (_name, body) => {
  const service = await serviceFor();
  const answer = await call(service, '/card', { method: 'POST', body });
  expect(answer.status).toBe(400);
  expect(answer.json).toMatchObject({ status: false, statusCode: 400 });
});

test('a body that isn’t declared as UTF-8 JSON gets 415', async () => {
  const service = await serviceFor();
  for (const [name, value] of [
    ['Content-Type', 'text/plain'],
    ['Content-Type', 'application/x-www-form-urlencoded'],
    ['Content-Type', 'application/json; charset=latin1'],
    ['Content-Encoding', 'gzip'],
  ] as const) {
    expect((await create(service, {}, { headers: { [name]: value } })).status).toBe(415);
  }
  const headers = { 'Content-Type': 'Application/JSON; charset=UTF-8' };
  expect((await create(service, {}, { headers })).status).toBe(200);
});

test('a body over one MiB gets 413 and creates no card', async () => {
  const service = await serviceFor();
  const answer = await create(service, { description: 'x'.repeat(1024 * 1024) });
  expect(answer.status).toBe(413);
  expect(answer.json).toMatchObject({ status: false, statusCode: 413 });
  expect((await create(service, { description: 'x'.repeat(900_000) })).status).toBe(200);
  expect(service.calls({ executed: true })).toHaveLength(1);
});

test('any malformed JSON body gets 400 and creates no card', async () => {
  const service = await serviceFor({ requestsPerMinute: Number.MAX_SAFE_INTEGER });
  const before = service.cards.all().length;
  const anyFields = fc.dictionary(
    fc.constantFrom(...Object.keys(NEW_CARD), 'brandId', 'isDraft', '__proto__', 'toString'),
    fc.jsonValue(),
  );
  const anyBody = fc.oneof(
    fc.jsonValue(),
    fc.record({ data: fc.oneof(anyFields, fc.jsonValue()) }),
  );
  await fc.assert(
    fc.asyncProperty(anyBody, async (body) => {
      const answer = await call(service, '/card', { method: 'POST', body: JSON.stringify(body) });
      expect(answer.status).toBe(400);
      expect(answer.json).toMatchObject({ status: false, statusCode: 400 });
    }),
    { numRuns: 200 },
  );
  expect(service.cards.all()).toHaveLength(before);
});

test('a caller who disconnects in the middle of a body has created no card', async () => {
  const service = await serviceFor();
  const { port, hostname, pathname } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST ${pathname}/card HTTP/1.1\r\nHost: ${hostname}\r\nx-api-key: ${service.apiKey}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"data":',
  );
  while (service.ledger.length === 0) await new Promise((resolve) => setImmediate(resolve));
  socket.destroy();
  expect((await call(service, '/tags')).status).toBe(200);
  expect(service.ledger[0]).toMatchObject({ executed: false, status: undefined });
});
