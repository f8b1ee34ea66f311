import { once } from 'node:events';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import type { Filling } from '../bloat.ts';
import type { DesignService } from '../server.ts';
import { call, create, NEW_CARD, serviceFor } from './calling.ts';

test('a stalled call is executed at once and answered later', async () => {
  const service = await serviceFor();
  service.faults.add({ kind: 'stall', ms: 150 });
  const started = performance.now();
  const answering = create(service);
  await until(() => service.calls({ executed: true }).length === 1);
  expect(service.ledger[0]?.status).toBeUndefined();
  expect((await answering).status).toBe(200);
  expect(performance.now() - started).toBeGreaterThanOrEqual(145);
});

test('a connection reset before executing creates no card and shows no status', async () => {
  const service = await serviceFor();
  service.faults.add({ kind: 'reset-before-executing' });
  expect(await errorOfRawCreate(service)).toBe('ECONNRESET');
  expect(service.calls({ operation: 'createCard' })).toMatchObject([{ executed: false }]);
  expect(service.ledger[0]?.status).toBeUndefined();
  expect(service.cards.all()).toHaveLength(8);
});

test('a connection dropped after executing leaves a card that its caller doesn’t know about', async () => {
  const service = await serviceFor();
  service.faults.add({ kind: 'drop-after-executing' });
  expect(await errorOfRawCreate(service)).toBe('ECONNRESET');
  const [entry] = service.calls({ operation: 'createCard' });
  expect(entry).toMatchObject({ executed: true, status: undefined });
  expect(service.cards.get(entry?.createdCardId ?? '')?.title).toBe(NEW_CARD.title);
});

test.each([
  [500, false, 'json'],
  [502, true, 'html'],
  [503, false, 'empty'],
  [504, true, 'json'],
  [408, false, 'json'],
] as const)('answers %i, executed %s, with %s', async (status, executed, body) => {
  const service = await serviceFor();
  service.faults.add({ kind: 'status', status, executed, body });
  const answer = await create(service);
  expect(answer.status).toBe(status);
  expect(answer.headers.has('x-ratelimit-remaining')).toBe(true);
  expect(service.ledger).toMatchObject([{ status, executed }]);
  expect(service.cards.all()).toHaveLength(executed ? 9 : 8);
  if (body === 'empty') expect(answer.text).toBe('');
  if (body === 'html') expect(answer.text).toMatch(/^<!doctype html>/);
  if (body === 'json') expect(answer.json).toMatchObject({ status: false, statusCode: status });
});

test('a redirect has a location', async () => {
  const service = await serviceFor();
  service.faults.add({ kind: 'status', status: 302, location: 'https://login.example.com/' });
  const answer = await call(service, '/tags');
  expect([answer.status, answer.headers.get('location')]).toEqual([
    302,
    'https://login.example.com/',
  ]);
});

test('a page, half an answer, no bytes, and another content type come with status 200', async () => {
  const service = await serviceFor();
  const right = await call(service, '/tags');
  const once = async (kind: 'html' | 'truncated-json' | 'empty-body' | 'wrong-content-type') => {
    service.faults.add({ kind, times: 1 });
    const answer = await call(service, '/tags');
    expect(answer.status).toBe(200);
    return answer;
  };
  expect((await once('html')).headers.get('content-type')).toMatch(/^text\/html/);
  const half = await once('truncated-json');
  expect(half.json).toBeUndefined();
  expect(right.text.startsWith(half.text)).toBe(true);
  expect(half.text.length).toBeGreaterThan(100);
  expect((await once('empty-body')).text).toBe('');
  const renamed = await once('wrong-content-type');
  expect(renamed.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(renamed.json).toEqual(right.json);
  expect(service.calls({ executed: true })).toHaveLength(5);
});

test('a huge body is valid JSON of the requested size', async () => {
  const service = await serviceFor();
  service.faults.add({ kind: 'huge-body', bytes: 3_000_000 });
  const answer = await call(service, '/brands/brand-1');
  expect(answer.text.length).toBeGreaterThan(3_000_000);
  expect(answer.json).toMatchObject({ data: { id: 'brand-1' } });
});

test.each<[unknown, number, Filling]>([
  [[{ id: 0 }, { id: 1 }], 18, { entry: '{"id":#}' }],
  [{ '0': 0, '1': 0 }, 12, { keys: 'numbered' }],
  ['<b>"<b>"', 10, { text: '<b>"' }],
  [[[[0]]], 6, { nested: 'lists' }],
  [{ a: { a: 0 } }, 12, { nested: 'objects' }],
])('a bloated answer has %j, or as many bytes more as requested', async (value, bytes, filling) => {
  const service = await serviceFor();
  const [card] = service.cards.all();
  const path = ['data', 'labels'];
  const read = async (bytes: number) => {
    service.faults.add({ kind: 'bloated', path, filling, bytes, times: 1 });
    return call(service, `/card/${card?.id}`);
  };
  const small = await read(bytes);
  expect(small.json).toMatchObject({ data: { id: card?.id, labels: value } });
  const large = await read(3_000_000);
  expect(Math.abs(large.text.length - small.text.length - 3_000_000)).toBeLessThan(100);
});

test('an endless body continues until its reader disconnects', async () => {
  const service = await serviceFor();
  service.faults.add({ kind: 'endless-body' });
  const leaving = new AbortController();
  const headers = { 'x-api-key': service.apiKey };
  const response = await fetch(`${service.url}/tags`, { headers, signal: leaving.signal });
  let read = 0;
  for await (const chunk of response.body ?? []) {
    read += chunk.length;
    if (read > 5_000_000) break;
  }
  leaving.abort();
  service.faults.clear();
  expect(read).toBeGreaterThan(5_000_000);
  expect((await call(service, '/tags')).status).toBe(200);
});

test('a slow body arrives complete, drop by drop', async () => {
  const service = await serviceFor();
  service.referenceLists.tags = [
    { id: 'é', name: 'x🎨🎨🎨🎨🎨🎨', bg_color: '#000000', text_color: '#ffffff' },
  ];
  service.faults.add({ kind: 'slow-drip', bytesPerSecond: 400 });
  const started = performance.now();
  const answer = await call(service, '/tags');
  expect(answer.json).toEqual({ data: service.referenceLists.tags });
  expect(performance.now() - started).toBeGreaterThan(100);
});

test.each([
  [5, '5'],
  ['Sun, 01 Mar 2026 10:01:01 GMT', 'Sun, 01 Mar 2026 10:01:01 GMT'],
  ['soon', 'soon'],
  [undefined, null],
])('an unexpected 429 can have Retry-After %s, and is not counted', async (retryAfter, header) => {
  const service = await serviceFor();
  service.faults.add({ kind: 'rate-limited', retryAfter, times: 1 });
  const answer = await create(service);
  expect(answer.status).toBe(429);
  expect(answer.json).toEqual(expect.not.objectContaining({ status: expect.anything() }));
  expect(answer.headers.get('retry-after')).toBe(header);
  expect(answer.headers.get('x-ratelimit-remaining')).toBe('0');
  expect(service.ledger).toMatchObject([{ executed: false, status: 429 }]);
  expect((await call(service, '/tags')).headers.get('x-ratelimit-remaining')).toBe('59');
});

test('a valid key can get 401 for a while', async () => {
  const service = await serviceFor();
  const restore = service.faults.add({ kind: 'unauthorized' });
  expect((await create(service)).status).toBe(401);
  restore();
  expect((await create(service)).status).toBe(200);
  expect(service.calls({ executed: true })).toHaveLength(1);
});

test('a fault affects only the operation, method, card, and key that it names', async () => {
  const service = await serviceFor();
  const key = service.issueKey();
  const struck = async (match: object) => {
    const remove = service.faults.add({ ...match, kind: 'status', status: 503 });
    const answers = [
      await call(service, '/card/card-1001'),
      await call(service, '/card/card-1002', { key }),
      await call(service, '/tags'),
      await create(service),
    ];
    remove();
    return answers.map((answer) => answer.status === 503);
  };
  expect(await struck({})).toEqual([true, true, true, true]);
  expect(await struck({ operation: 'getCard' })).toEqual([true, true, false, false]);
  expect(await struck({ method: 'POST' })).toEqual([false, false, false, true]);
  expect(await struck({ cardId: 'card-1002' })).toEqual([false, true, false, false]);
  expect(await struck({ key })).toEqual([false, true, false, false]);
});

test('a fault can skip the first calls and affect a number of calls', async () => {
  const service = await serviceFor();
  service.faults.add({ kind: 'status', status: 500, after: 1, times: 2 });
  const statuses: number[] = [];
  for (let turn = 0; turn < 5; turn += 1) statuses.push((await call(service, '/tags')).status);
  expect(statuses).toEqual([200, 500, 500, 200, 200]);
});

test('a fault with a probability follows the given random numbers', async () => {
  const numbers = [0.1, 0.9, 0.49, 0.5];
  const service = await serviceFor({ random: () => numbers.shift() ?? 1 });
  service.faults.add({ kind: 'status', status: 500, probability: 0.5 });
  const statuses: number[] = [];
  for (let turn = 0; turn < 4; turn += 1) statuses.push((await call(service, '/tags')).status);
  expect(statuses).toEqual([500, 200, 500, 200]);
});

test('without its own random numbers, a service affects the same calls every time', async () => {
  const pattern = async () => {
    const service = await serviceFor({ seed: 'empty' });
    service.faults.add({ kind: 'status', status: 500, probability: 0.5 });
    const statuses: number[] = [];
    for (let turn = 0; turn < 20; turn += 1) statuses.push((await call(service, '/tags')).status);
    return statuses;
  };
  const first = await pattern();
  expect(new Set(first)).toEqual(new Set([200, 500]));
  expect(await pattern()).toEqual(first);
});

test('exhausted faults don’t block those added after them', async () => {
  const service = await serviceFor();
  service.faults.add({ kind: 'status', status: 500, times: 1 });
  service.faults.add({ kind: 'status', status: 503, times: 1 });
  const statuses: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) statuses.push((await call(service, '/tags')).status);
  expect(statuses).toEqual([500, 503, 200]);
});

/** Waits for what the service does before it answers. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

/** The error code that a caller sees without an answer. */
async function errorOfRawCreate(service: DesignService): Promise<unknown> {
  const headers = { 'x-api-key': service.apiKey, 'Content-Type': 'application/json' };
  const call = request(`${service.url}/card`, { method: 'POST', headers, agent: false });
  call.end(JSON.stringify({ data: NEW_CARD }));
  const [error] = await once(call, 'error');
  return error.code;
}
