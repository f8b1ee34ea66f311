import { expect, test } from 'vitest';
import { fingerprintOfKey } from '../api-keys.ts';
import { call, serviceFor, standingClock } from './calling.ts';

test('the largest window is the most calls with one key in any sixty seconds', async () => {
  const { clock, pass } = standingClock('2026-03-01T10:00:00Z');
  const service = await serviceFor({ clock, requestsPerMinute: 3 });
  const other = service.issueKey();
  expect(service.largestWindow()).toBe(0);
  await call(service, '/tags');
  pass(59_000);
  await call(service, '/tags');
  await call(service, '/tags', { key: other });
  await call(service, '/tags', { key: null });
  pass(999);
  await call(service, '/tags');
  await call(service, '/tags');
  expect(service.calls().at(-1)?.status).toBe(429);
  pass(1);
  await call(service, '/tags');
  expect(service.largestWindow()).toBe(4);
  expect(service.largestWindow(service.apiKey)).toBe(4);
  expect(service.largestWindow(fingerprintOfKey(other))).toBe(1);
  expect(service.largestWindow('never seen')).toBe(0);
});
