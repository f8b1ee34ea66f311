import { expect, test } from 'vitest';
import { call, create, serviceFor } from './calling.ts';

const UNAUTHORIZED = {
  status: false,
  message: expect.any(String),
  error: 'Authentication Error',
  statusCode: 401,
};

test('a missing, empty, wrong, or repeated key gets 401 with the error body', async () => {
  const service = await serviceFor();
  for (const key of [null, '', 'nonsense', `${service.apiKey}, ${service.apiKey}`]) {
    const answer = await call(service, '/tags', { key });
    expect(answer.status).toBe(401);
    expect(answer.json).toEqual(UNAUTHORIZED);
  }
});

test('a 401 has no rate limit headers and is not counted', async () => {
  const service = await serviceFor({ requestsPerMinute: 1 });
  const refused = await call(service, '/tags', { key: 'nonsense' });
  expect(refused.headers.has('x-ratelimit-limit')).toBe(false);
  expect((await call(service, '/tags')).status).toBe(200);
});

test('a revoked key gets 401 and creates no card', async () => {
  const service = await serviceFor({ seed: 'demo' });
  const key = service.issueKey();
  expect((await create(service, {}, { key })).status).toBe(200);
  const before = service.cards.all().length;
  service.revokeKey(key);
  expect((await create(service, {}, { key })).status).toBe(401);
  expect(service.cards.all()).toHaveLength(before);
});

test('a card of another account gets 403, and none of its content is revealed', async () => {
  const service = await serviceFor();
  const card = service.cards.add({ title: 'Secret', account: 'account-9' });
  const answer = await call(service, `/card/${card.id}`);
  expect(answer.status).toBe(403);
  expect(answer.json).toMatchObject({ status: false, statusCode: 403, error: 'Forbidden' });
  expect(answer.text).not.toContain('Secret');
});

test('a key can be forbidden one card, one operation, or everything', async () => {
  const service = await serviceFor();
  const statuses = async (key: string) => {
    const paths = ['/card/card-1001', '/card/card-1002', '/tags'];
    return Promise.all(paths.map(async (path) => (await call(service, path, { key })).status));
  };
  const [card, operation, everything] = [1, 2, 3].map(() => service.issueKey());
  service.forbid(card ?? '', { cardId: 'card-1001' });
  service.forbid(operation ?? '', { operation: 'getCard' });
  service.forbid(everything ?? '', {});
  expect(await statuses(card ?? '')).toEqual([403, 200, 200]);
  expect(await statuses(operation ?? '')).toEqual([403, 403, 200]);
  expect(await statuses(everything ?? '')).toEqual([403, 403, 403]);
  expect(await statuses(service.apiKey)).toEqual([200, 200, 200]);
});
