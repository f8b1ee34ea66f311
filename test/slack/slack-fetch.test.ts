import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { WebAPIHTTPError, WebAPIRateLimitedError, WebClient } from '@slack/web-api';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../src/ops/logging.ts';
import { slackClientOptions } from '../../src/slack/slack-client.ts';
import { outcomeOfCall } from '../../src/slack/slack-errors.ts';
import { slackFetch } from '../../src/slack/slack-fetch.ts';

const log = createLog({ level: 'silent', secrets: [] });

/** Slack’s own client, set up as the app does, for a server that answers so. */
async function clientOf(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  const { port } = server.address() as AddressInfo;
  const options = slackClientOptions({ apiUrl: `http://127.0.0.1:${port}/api/`, log });
  return { client: new WebClient('xoxb-1', options), connections: () => connections };
}

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail('the call worked'),
    (error: unknown) => error,
  );

it('hands on what Slack answers, with what its headers say', async () => {
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

it('uses its connections again, also where the client does not read the answer', async () => {
  const { client, connections } = await clientOf((_request, response) => {
    // Longer than what is read ahead.
    response.writeHead(429, { 'retry-after': '7' }).end('<html>'.repeat(100_000));
  });
  for (let call = 0; call < 20; call += 1) {
    const error = await failureOf(client.chat.unfurl({ channel: 'C1', ts: '1.0', unfurls: {} }));
    expect(error).toBeInstanceOf(WebAPIRateLimitedError);
    expect(error).toMatchObject({ retryAfter: 7 });
  }
  // One may still be putting itself away as the next call begins.
  expect(connections()).toBeLessThanOrEqual(2);
});

it('takes a 429 for one though the rest of it never comes', async () => {
  const { client } = await clientOf((_request, response) => {
    response.writeHead(429, { 'retry-after': '7', 'content-length': '1000' });
    response.write('half of it', () => response.destroy());
  });
  const error = await failureOf(client.chat.unfurl({ channel: 'C1', ts: '1.0', unfurls: {} }));
  expect(error).toBeInstanceOf(WebAPIRateLimitedError);
  expect(error).toMatchObject({ retryAfter: 7 });
});

it('gives up when it is told to: before a connection stands, without an answer, within one', async () => {
  const silent = createTcpServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const halfAnswer = createServer((_request, response) => void response.write('half')).listen(0);
  await once(halfAnswer, 'listening');
  onTestFinished(() => void halfAnswer.close());
  const { port: halfPort } = halfAnswer.address() as AddressInfo;
  const urls = [
    // Its TLS never gets an answer, so that no connection stands.
    `https://127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}/`,
    `http://127.0.0.1:${halfPort}/`,
  ];
  for (const url of urls) {
    const telling = new AbortController();
    const call = slackFetch(url, { method: 'POST', body: 'a=b', signal: telling.signal });
    setTimeout(() => telling.abort(new Error('enough')), 100);
    await expect(call).rejects.toThrow('enough');
  }
  const late = slackFetch(urls[0] ?? '', { signal: AbortSignal.abort(new Error('too late')) });
  await expect(late).rejects.toThrow('too late');
});

it('follows no redirect, which would carry the token elsewhere', async () => {
  const { client } = await clientOf((_request, response) => {
    response.writeHead(307, { location: '/api/elsewhere' }).end();
  });
  const error = await failureOf(client.auth.test());
  expect(error).toBeInstanceOf(WebAPIHTTPError);
  expect(error).toMatchObject({ statusCode: 307, headers: { location: '/api/elsewhere' } });
});

it('tells a call that never left from one that may have happened', async () => {
  const refused = new WebClient(
    'xoxb-1',
    slackClientOptions({ apiUrl: 'http://127.0.0.1:1/', log }),
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

it('refuses to upload a file, before anything is sent', async () => {
  const upload = slackFetch('http://127.0.0.1:1/', { method: 'POST', body: new FormData() });
  await expect(upload).rejects.toThrow('Files are not uploaded.');
});
