import { globalAgent, type RequestListener } from 'node:http';
import { WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runningClaim } from '../../../src/jobs/runner.ts';
import { httpFetch } from '../../../src/outgoing.ts';
import { outcomeOfCall } from '../../../src/slack/client/errors.ts';
import { createSlackFetch } from '../../../src/slack/client/slack-client.ts';
import { anyUrl } from '../../any-text.ts';
import { clientAt, clientOf, failureOf, listen, log } from './answering.ts';

const PLENTY = { timeoutMs: 10_000 };
const SOON = { timeoutMs: 50 };

const halfAnAnswer: RequestListener = (_request, response) =>
  response.writeHead(200, { 'content-length': '1000' }).write('half of it');

const fetchFor = (apiUrl: string) => createSlackFetch({ apiUrl, timeoutMs: 1_000, log });

describe('an answer', () => {
  it('is a 429 even if its body breaks off', async () => {
    const { client } = await clientOf((_request, response) => {
      response.writeHead(429, { 'retry-after': '7', 'content-length': '1000' });
      response.write('half of it', () => response.destroy());
    });
    const error = await failureOf(client.chat.unfurl({ channel: 'C1', ts: '1.0', unfurls: {} }));
    expect(error).toBeInstanceOf(WebAPIRateLimitedError);
    expect(error).toMatchObject({ retryAfter: 7 });
  });

  it('that is too large is rejected, and no more of it is read', async () => {
    const closed = Promise.withResolvers<void>();
    const { url } = await listen((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(100_000)));
      };
      response.on('drain', more).on('close', closed.resolve);
      more();
    });
    await expect(httpFetch(url, {}, PLENTY)).rejects.toThrow('exceeds 8388608 bytes');
    await closed.promise;
  });

  it('that doesn’t end in time is rejected', async () => {
    const { url } = await listen(halfAnAnswer);
    await expect(httpFetch(url, {}, SOON)).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('has five seconds in all', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const arrived = Promise.withResolvers<void>();
    const { client } = await clientOf(() => arrived.resolve());
    const ended = vi.fn();
    const failure = failureOf(client.auth.test());
    void failure.then(ended);
    await arrived.promise;
    await vi.advanceTimersByTimeAsync(4_000);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(String(await failure)).toContain('no answer within 5000 ms');
  });

  it('leaves the connection to the next call, even if nobody reads it', async () => {
    const { url } = await listen((_request, response) => response.writeHead(429).end('slower'));
    await httpFetch(url, {}, PLENTY);
    await expect.poll(() => globalAgent.freeSockets[`127.0.0.1:${url.port}:`]).toHaveLength(1);
  });
});

describe('a call', () => {
  it('follows no redirect, which would send the token elsewhere', async () => {
    const { client, requested } = await clientOf((_request, response) =>
      response.writeHead(307, { location: '/api/elsewhere' }).end(),
    );
    expect(await failureOf(client.auth.test())).toBeInstanceOf(WebAPIRequestError);
    expect(requested).toEqual(['/api/auth.test']);
  });

  it('that was never sent is told from one that may have taken effect', async () => {
    // Port 1 is reserved, and nothing listens there.
    for (const address of ['http://127.0.0.1:1/', 'http://nobody.invalid/']) {
      expect(outcomeOfCall(await failureOf(clientAt(address).auth.test()))).toBe('not_done');
    }
    const { client } = await clientOf((request) => request.socket.destroy());
    expect(outcomeOfCall(await failureOf(client.auth.test()))).toBe('unknown');
  });

  /** Answers the first call, and resets the kept-alive connection at the next one before it says anything. */
  async function clientOfResetting() {
    let calls = 0;
    const { client, requested } = await clientOf((request, response) => {
      calls += 1;
      if (calls === 2) request.socket.resetAndDestroy();
      else response.end('{"ok":true}');
    });
    await client.apiCall('api.test');
    return { client, requested };
  }

  it.each(['views.open', 'chat.unfurl'])(
    'of %s is repeated once if the connection is reset before an answer',
    async (method) => {
      const { client, requested } = await clientOfResetting();
      expect(await client.apiCall(method)).toMatchObject({ ok: true });
      expect(requested).toEqual(['/api/api.test', `/api/${method}`, `/api/${method}`]);
    },
  );

  it.each(['chat.postMessage', 'chat.postEphemeral', 'oauth.v2.access'])(
    'of %s is never repeated',
    async (method) => {
      const { client, requested } = await clientOfResetting();
      expect(outcomeOfCall(await failureOf(client.apiCall(method)))).toBe('unknown');
      expect(requested).toEqual(['/api/api.test', `/api/${method}`]);
    },
  );

  it('isn’t repeated if the connection is reset after the beginning of an answer', async () => {
    const { client, requested } = await clientOf((request, response) => {
      response.writeHead(200, { 'content-length': 100 }).flushHeaders();
      response.write('{"ok"', () => setTimeout(() => request.socket.resetAndDestroy(), 50));
    });
    expect(outcomeOfCall(await failureOf(client.apiCall('views.open')))).toBe('unknown');
    await client.apiCall('api.test').catch(() => undefined);
    expect(requested).toEqual(['/api/views.open', '/api/api.test']);
  });

  it('is given up if the connection is reset twice', async () => {
    const { client, requested } = await clientOf((request) => request.socket.resetAndDestroy());
    expect(outcomeOfCall(await failureOf(client.apiCall('views.open')))).toBe('unknown');
    expect(requested).toHaveLength(2);
  });

  it('posts no message of a job that another process may have taken', async () => {
    const { url, requested } = await listen((_request, response) => response.end('{"ok":true}'));
    const slackFetch = fetchFor(`${url}api/`);
    const fetchClaimed = (isHeld: boolean, method: string) =>
      runningClaim.run(
        () => isHeld,
        () => slackFetch(`${url}api/${method}`, { method: 'POST' }),
      );
    expect((await fetchClaimed(true, 'chat.postMessage')).ok).toBe(true);
    await expect(fetchClaimed(false, 'chat.postMessage')).rejects.toMatchObject({
      code: 'CLAIM_LOST',
    });
    // What only draws again what is there may be done twice.
    await fetchClaimed(false, 'chat.update');
    expect(requested).toEqual(['/api/chat.postMessage', '/api/chat.update']);
  });
});

describe('an address', () => {
  it('elsewhere is refused without a request', async () => {
    const { url, requested } = await listen((_request, response) => response.end());
    const refused = [
      url.href,
      `http://hooks.slack.com@127.0.0.1:${url.port}/`,
      `http://localhost:${url.port}/`,
      'http://hooks.slack.com/commands/T1/x',
      'https://hooks.slack.com.example.com/commands/T1/x',
      'https://HOOKS.SLACK.COM.:443/commands/T1/x',
      'file:///etc/passwd',
    ];
    const slackFetch = fetchFor('https://slack.com/api/');
    for (const address of refused) {
      await expect(slackFetch(address), address).rejects.toThrow('not Slack');
    }
    expect(requested).toEqual([]);
  });

  it('of another host is refused, whatever it looks like', async () => {
    const slackFetch = fetchFor('https://slack.com/api/');
    const ours = new Set(['hooks.slack.com', 'hooks.slack-gov.com', 'slack.com']);
    const domain = fc.domain().map((host) => `//${host}`);
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyUrl, fc.string(), domain), async (text) => {
        fc.pre(!URL.canParse(text) || !ours.has(new URL(text).hostname));
        await expect(slackFetch(text)).rejects.toThrow(/is not Slack|Invalid URL/);
      }),
    );
  });
});
