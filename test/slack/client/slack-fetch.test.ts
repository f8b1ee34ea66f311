import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runClaimed } from '../../../src/jobs/runner.ts';
import { createLog } from '../../../src/ops/logging.ts';
import { createSlackFetch } from '../../../src/slack/client/slack-client.ts';
import { anyUrl } from '../../any-text.ts';

const log = createLog({ level: 'silent' });

/** A server that counts its requests. @returns its URL, and the count */
async function listen(answer: RequestListener) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}/`, requests: () => requests };
}

const fetchFor = (apiUrl: string) => createSlackFetch({ apiUrl, timeoutMs: 1_000, log });

describe('a fetch for Slack’s client', () => {
  it('goes to SLACK_API_URL', async () => {
    const { url } = await listen((_request, response) => response.end('here'));
    const response = await fetchFor(`${url}api/`)(`${url}commands/T1/x`, { method: 'POST' });
    expect(await response.text()).toBe('here');
  });

  it('posts no message of a job that another process may have taken', async () => {
    const { url, requests } = await listen((_request, response) => response.end('{"ok":true}'));
    const slackFetch = fetchFor(`${url}api/`);
    const held = { now: true };
    const post = () =>
      runClaimed(
        () => held.now,
        () => slackFetch(`${url}api/chat.postMessage`, { method: 'POST' }),
      );
    expect((await post()).ok).toBe(true);
    held.now = false;
    await expect(post()).rejects.toMatchObject({ code: 'CLAIM_LOST' });
    // What only draws again what is there may be done twice.
    await runClaimed(
      () => false,
      () => slackFetch(`${url}api/chat.update`, { method: 'POST' }),
    );
    expect(requests()).toBe(2);
  });

  it('goes nowhere else', async () => {
    const canary = await listen((_request, response) => response.end());
    const refused = [
      canary.url,
      `http://hooks.slack.com@127.0.0.1:${canary.port}/`,
      `http://localhost:${canary.port}/`,
      'http://hooks.slack.com/commands/T1/x',
      'https://hooks.slack.com:8443/commands/T1/x',
      'https://hooks.slack.com.example.com/commands/T1/x',
      'https://example.com/hooks.slack.com',
      'https://hooks-slack.com/commands/T1/x',
      'https://HOOKS.SLACK.COM.:443/commands/T1/x',
      'file:///etc/passwd',
      'data:text/plain,x',
    ];
    for (const address of refused) {
      await expect(fetchFor('https://slack.com/api/')(address), address).rejects.toThrow(
        'not Slack',
      );
    }
    expect(canary.requests()).toBe(0);
  });

  it('goes to no other host, whatever the URL looks like', async () => {
    const slackFetch = fetchFor('https://slack.com/api/');
    const ours = new Set(['hooks.slack.com', 'hooks.slack-gov.com', 'slack.com']);
    const address = fc.oneof(
      anyUrl,
      fc.string(),
      fc.domain().map((host) => `//${host}`),
    );
    await fc.assert(
      fc.asyncProperty(address, async (text) => {
        fc.pre(!URL.canParse(text) || !ours.has(new URL(text).hostname));
        await expect(slackFetch(text)).rejects.toThrow(/is not Slack|Invalid URL/);
      }),
    );
  });
});
