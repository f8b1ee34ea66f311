import { expect, it } from 'vitest';
import { createUnfurlLimit } from '../../../src/slack/card/card-messages.ts';
import { T1, T2 } from '../../installations/ids.ts';
import { at } from '../../store/stores-under-test.ts';

function limited() {
  const clock = { now: at(0) };
  const limit = createUnfurlLimit(() => clock.now);
  limit.limit(T1, at(30));
  return { clock, limit };
}

it('a workspace waits for as long as Slack says, spread over ten seconds, and no other does', () => {
  const { limit } = limited();
  const times = Array.from({ length: 200 }, () => limit.retryAt(T1)?.getTime() ?? 0);
  expect(Math.min(...times)).toBeGreaterThanOrEqual(at(30).getTime());
  expect(Math.max(...times)).toBeLessThanOrEqual(at(40).getTime());
  expect(new Set(times).size).toBeGreaterThan(1);
  expect([limit.retryAt(T2), limit.isLimited(T2)]).toEqual([undefined, false]);
});

it('links that waited are shown before anything else', () => {
  const { clock, limit } = limited();
  clock.now = at(30);
  expect([limit.retryAt(T1), limit.isLimited(T1)]).toEqual([undefined, true]);
  clock.now = at(40);
  expect(limit.isLimited(T1)).toBe(false);
});
