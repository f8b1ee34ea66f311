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

test('a fault with a probability follows the given random numbers', async () => {
  const numbers = [0.1, 0.9, 0.49, 0.5];
  const service = await serviceFor({ random: () => numbers.shift() ?? 1 });
  service.faults.add({ kind: 'status', status: 500, probability: 0.5 });
  const statuses: number[] = [];
  for (let turn = 0; turn < 4; turn += 1) statuses.push((await call(service, '/tags')).status);
  expect(statuses).toEqual([500, 200, 500, 200]);
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
