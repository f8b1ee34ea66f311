import { expect, test } from 'vitest';
import type { DesignService } from '../server.ts';
import { call, create, serviceFor, standingClock } from './calling.ts';

const START = '2026-03-01T10:00:00.500Z';
const START_SECONDS = Date.parse(START) / 1000;

test('every authenticated answer has limit, remaining, and reset, even errors', async () => {
  const { clock } = standingClock(START);
  const service = await serviceFor({ clock });
  const answers = [
    await call(service, '/tags'),
    await call(service, '/card/none'),
    await call(service, '/nothing'),
    await create(service, { title: '' }),
  ];
  expect(answers.map((answer) => answer.headers.get('x-ratelimit-limit'))).toEqual(
    answers.map(() => '60'),
  );
  expect(answers.map((answer) => answer.headers.get('x-ratelimit-remaining'))).toEqual([
    '59',
    '58',
    '57',
    '56',
  ]);
  // Rounded up, so that a caller who waits until then is never early.
  const reset = String(Math.ceil(START_SECONDS + 60));
  expect(answers.every((answer) => answer.headers.get('x-ratelimit-reset') === reset)).toBe(true);
});

test('the sixty-first call in a minute gets 429, without status in its body', async () => {
  const { clock, pass } = standingClock(START);
  const service = await serviceFor({ clock });
  await times(60, () => call(service, '/tags'));
  pass(40_000);
  const refused = await create(service);
  expect(refused.status).toBe(429);
  expect(refused.json).toEqual({
    statusCode: 429,
    message: expect.stringMatching(/try again later/),
    error: 'Too Many Requests',
  });
  expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
  expect(refused.headers.get('retry-after')).toBe('21');
  expect(service.calls({ executed: true })).toHaveLength(60);
});

test('a fixed window starts with its first call and ends after sixty seconds', async () => {
  const { clock, pass } = standingClock(START);
  const service = await serviceFor({ clock, requestsPerMinute: 3 });
  pass(30_000);
  await times(3, () => call(service, '/tags'));
  pass(59_999);
  expect((await call(service, '/tags')).status).toBe(429);
  pass(1);
  expect(await statuses(service, 4)).toEqual([200, 200, 200, 429]);
});

test('a sliding window frees each call sixty seconds after it arrived', async () => {
  const { clock, pass } = standingClock(START);
  const service = await serviceFor({ clock, requestsPerMinute: 2 });
  service.answers.window = 'sliding';
  expect(await statuses(service, 1)).toEqual([200]);
  pass(50_000);
  expect(await statuses(service, 2)).toEqual([200, 429]);
  pass(10_000);
  expect(await statuses(service, 2)).toEqual([200, 429]);
});

test('a refused call doesn’t count', async () => {
  const { clock, pass } = standingClock(START);
  const service = await serviceFor({ clock, requestsPerMinute: 2 });
  service.answers.window = 'sliding';
  await statuses(service, 2);
  pass(50_000);
  expect(await statuses(service, 5)).toEqual([429, 429, 429, 429, 429]);
  pass(10_000);
  expect(await statuses(service, 2)).toEqual([200, 200]);
});

test('keys are counted separately, even of one account, and can have their own limits', async () => {
  const service = await serviceFor({ requestsPerMinute: 2 });
  const second = service.issueKey();
  const generous = service.issueKey({ requestsPerMinute: 5 });
  expect(await statuses(service, 3)).toEqual([200, 200, 429]);
  expect(await statuses(service, 3, second)).toEqual([200, 200, 429]);
  expect(await statuses(service, 6, generous)).toEqual([200, 200, 200, 200, 200, 429]);
});

async function statuses(service: DesignService, count: number, key?: string): Promise<number[]> {
  return (await times(count, () => call(service, '/tags', { key }))).map(({ status }) => status);
}

async function times<T>(count: number, act: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let turn = 0; turn < count; turn += 1) results.push(await act());
  return results;
}
