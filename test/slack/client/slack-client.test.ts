import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebAPIRateLimitedError, WebAPIRequestError, WebClient } from '@slack/web-api';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../../src/ops/logging.ts';
import { createMetrics } from '../../../src/ops/metrics/metrics.ts';
import { outcomeOfCall } from '../../../src/slack/client/errors.ts';
import { slackClientOptions } from '../../../src/slack/client/slack-client.ts';

const log = createLog({ level: 'silent', secrets: [] });

/** Slack’s client, configured as in the app, for a server that gives this answer. */
async function clientOf(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const apiUrl = `http://127.0.0.1:${port}/api/`;
  const options = slackClientOptions({ apiUrl, metrics: createMetrics(), log });
  return { client: new WebClient('xoxb-1', options) };
}

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail('the call worked'),
    (error: unknown) => error,
  );

it('returns what Slack answers, with the scopes its headers name', async () => {
  const { client } = await clientOf((request, response) => {
    response.setHeader('X-OAuth-Scopes', 'commands, chat:write');
    request.on('data', (body) => response.end(JSON.stringify({ ok: true, body: String(body) })));
  });
  const answer = await client.apiCall('views.open', { view: { title: 'Grüße' } });
  expect(answer).toMatchObject({
    ok: true,
    body: `view=${encodeURIComponent('{"title":"Grüße"}')}`,
    response_metadata: { scopes: ['commands', 'chat:write'] },
  });
});

it('recognizes a 429 even if its body breaks off', async () => {
  const { client } = await clientOf((_request, response) => {
    response.writeHead(429, { 'retry-after': '7', 'content-length': '1000' });
    response.write('half of it', () => response.destroy());
  });
  const error = await failureOf(client.chat.unfurl({ channel: 'C1', ts: '1.0', unfurls: {} }));
  expect(error).toBeInstanceOf(WebAPIRateLimitedError);
  expect(error).toMatchObject({ retryAfter: 7 });
});

it('follows no redirect, which would send the token elsewhere', async () => {
  const requests: (string | undefined)[] = [];
  const { client } = await clientOf((request, response) => {
    requests.push(request.url);
    response.writeHead(307, { location: '/api/elsewhere' }).end();
  });
  const error = await failureOf(client.auth.test());
  expect(error).toBeInstanceOf(WebAPIRequestError);
  expect(requests).toEqual(['/api/auth.test']);
});

it('distinguishes a call that was never sent from one that may have taken effect', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  closed.close();
  const refused = new WebClient(
    'xoxb-1',
    slackClientOptions({ apiUrl: `http://127.0.0.1:${port}/`, log }),
  );
  expect(outcomeOfCall(await failureOf(refused.auth.test()))).toBe('not_done');
  const unknown = new WebClient(
    'xoxb-1',
    slackClientOptions({ apiUrl: 'http://nobody.invalid/', log }),
  );
  expect(outcomeOfCall(await failureOf(unknown.auth.test()))).toBe('not_done');
  const { client } = await clientOf((request) => request.socket.destroy());
  expect(outcomeOfCall(await failureOf(client.auth.test()))).toBe('unknown');
});

/** Answers the first call, and resets the kept-alive connection at the next one before it says anything. */
async function clientOfResetting() {
  const methods: string[] = [];
  const { client } = await clientOf((request, response) => {
    methods.push(String(request.url).replace('/api/', ''));
    if (methods.length === 2) request.socket.resetAndDestroy();
    else response.end('{"ok":true}');
  });
  await client.apiCall('api.test');
  return { client, methods };
}

it.each([
  'views.open',
  'views.push',
  'views.update',
  'views.publish',
  'chat.update',
  'chat.unfurl',
  'users.info',
])('repeats %s once if the connection is reset before an answer', async (method) => {
  const { client, methods } = await clientOfResetting();
  expect(await client.apiCall(method)).toMatchObject({ ok: true });
  expect(methods).toEqual(['api.test', method, method]);
});

it.each(['chat.postMessage', 'chat.postEphemeral', 'oauth.v2.access'])(
  'never repeats %s',
  async (method) => {
    const { client, methods } = await clientOfResetting();
    expect(outcomeOfCall(await failureOf(client.apiCall(method)))).toBe('unknown');
    expect(methods).toEqual(['api.test', method]);
  },
);

it('doesn’t repeat a call if the connection is reset after the beginning of an answer', async () => {
  const methods: (string | undefined)[] = [];
  const { client } = await clientOf((request, response) => {
    methods.push(request.url);
    response.writeHead(200, { 'content-length': 100 }).flushHeaders();
    response.write('{"ok"', () => setTimeout(() => request.socket.resetAndDestroy(), 50));
  });
  expect(outcomeOfCall(await failureOf(client.apiCall('views.open')))).toBe('unknown');
  await client.apiCall('api.test').catch(() => undefined);
  expect(methods).toEqual(['/api/views.open', '/api/api.test']);
});

it('gives up if the connection is reset twice', async () => {
  let calls = 0;
  const { client } = await clientOf((request) => {
    calls += 1;
    request.socket.resetAndDestroy();
  });
  expect(outcomeOfCall(await failureOf(client.apiCall('views.open')))).toBe('unknown');
  expect(calls).toBe(2);
});
