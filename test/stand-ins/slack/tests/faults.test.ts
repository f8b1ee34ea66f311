import { expect, test } from 'vitest';
import { setUp } from './setting.ts';

test('a rate limit is a 429 with Retry-After, and executes nothing', async () => {
  const { slack, workspace, marketing } = await setUp();
  const lift = slack.faults.add({ kind: 'rate_limited', retryAfter: 30 });
  const post = () =>
    fetch(`${slack.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${workspace.botToken}` },
      body: new URLSearchParams({ channel: marketing.id, text: 'x' }),
    });
  const response = await post();
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '30']);
  expect(workspace.messages(marketing)).toEqual([]);
  lift();
  expect((await post()).status).toBe(200);
});

test('Slack’s own rate limit can be enforced, by its clock', async () => {
  const { slack, call, pass } = await setUp();
  slack.faults.limit('auth.test', 2);
  await call('auth.test');
  pass(10_000);
  await call('auth.test');
  expect(await call('auth.test')).toEqual({ ok: false, error: 'ratelimited' });
  expect(slack.apiCalls.at(-1)).toMatchObject({ status: 429, fault: 'rate_limited' });
  pass(50_000);
  expect(await call('auth.test')).toMatchObject({ ok: true });
});

test('an HTTP error, a cut connection, and a lost answer differ in what was executed', async () => {
  const { slack, call, workspace, marketing } = await setUp();
  const post = () => call('chat.postMessage', { channel: marketing.id, text: 'x' });
  slack.faults.add({ kind: 'http', status: 503, times: 1 });
  await expect(post()).rejects.toThrow();
  slack.faults.add({ kind: 'drop', times: 1 });
  await expect(post()).rejects.toThrow();
  expect(workspace.messages(marketing)).toHaveLength(0);
  slack.faults.add({ kind: 'lost_answer', times: 1 });
  await expect(post()).rejects.toThrow();
  expect(workspace.messages(marketing)).toHaveLength(1);
  expect(slack.apiCalls.map(({ fault }) => fault)).toEqual(['http', 'drop', 'lost_answer']);
});
