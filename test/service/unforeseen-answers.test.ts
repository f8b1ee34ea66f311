import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DesignApiError } from '../../src/service/errors.ts';
import { anyUrl } from '../any-text.ts';
import { startServer } from './local-server.ts';
import { clientOf, NEW_CARD } from './test-client.ts';

const FIELDS = [
  'id',
  'title',
  'description',
  'request_type',
  'product_type',
  'dimensions',
  'created_by',
  'labels',
  'tags',
  'text_copy',
  'file_formats',
  'software',
  'status',
  'due_date',
  'created_at',
  'updated_at',
  'files',
  'brand',
] as const;
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
  const data = fc.record(Object.fromEntries(FIELDS.map((name) => [name, fc.jsonValue()])), {
    requiredKeys: [],
  });
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

test('deep nesting and hostile names do no harm', async () => {
  const { next, client } = await settableServer();
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  next.body = `{"data":{"__proto__":{"id":"x"},"labels":${deep},"files":${deep},"due_date":${deep}}}`;
  expect(await client.getCard('asked')).toMatchObject({ id: 'asked', labels: [] });
  next.status = 400;
  next.body = `{"details":{"__proto__":"text","deep":${deep}},"message":${deep}}`;
  await expect(client.getCard('asked')).rejects.toMatchObject({ code: 'invalid_request' });
  expect(Object.hasOwn(Object.prototype, 'id')).toBe(false);
});
