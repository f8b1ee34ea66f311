import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebClient } from '@slack/web-api';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../../src/ops/logging.ts';
import { outcomeOfCall, retryAfterSlackError } from '../../../src/slack/client/errors.ts';
import { slackClientOptions } from '../../../src/slack/client/slack-client.ts';

type Answer = {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Instead of JSON. */
  text?: string;
};

const NOW = new Date('2026-03-02T09:00:00Z');
/** Source: the "Errors" of docs.slack.dev/reference/methods/chat.postMessage and its neighbors. */
const TRANSIENT = [
  ...['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout', 'ratelimited'],
  ...['rate_limited', 'team_added_to_org', 'org_login_required'],
  // With token rotation, the next attempt has a newer token.
  ...['token_expired', 'token_revoked'],
];

/** Calls a server that gives this answer, as the app calls Slack. @returns the error */
async function setUp() {
  let answer: Answer = {};
  const server = createServer((_request, response) => {
    const { status = 200, headers, body = {}, text = JSON.stringify(body) } = answer;
    response.writeHead(status, headers).end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const log = createLog({ level: 'silent', secrets: [] });
  const apiUrl = `http://127.0.0.1:${port}/api/`;
  const client = new WebClient('xoxb-1', slackClientOptions({ apiUrl, log }));
  return (next: Answer): Promise<unknown> => {
    answer = next;
    return client.chat.postMessage({ channel: 'C1', text: 'Hello' }).then(
      () => expect.fail('the call worked'),
      (error: unknown) => error,
    );
  };
}

const refusal = (error: string): Answer => ({ body: { ok: false, error } });

describe('an error from Slack', () => {
  it('is final, whatever its code, unless Slack documents it as temporary', async () => {
    const failWith = await setUp();
    const code = fc.stringMatching(/^[a-z]{1,20}(_[a-z]{1,20}){0,3}$/);
    await fc.assert(
      fc.asyncProperty(code, async (error) => {
        fc.pre(!TRANSIENT.includes(error));
        const failed = await failWith(refusal(error));
        expect(outcomeOfCall(failed)).toBe('refused');
        expect(retryAfterSlackError(failed, NOW)).toBe('never');
      }),
    );
  });

  it.each(TRANSIENT)('is temporary if its code is %s', async (code) => {
    const failWith = await setUp();
    const failed = await failWith(refusal(code));
    expect(outcomeOfCall(failed)).toBe('not_done');
    expect(retryAfterSlackError(failed, NOW)).toBeUndefined();
  });

  it('says when to retry after a 429', async () => {
    const failWith = await setUp();
    const failed = await failWith({ status: 429, headers: { 'retry-after': '30' } });
    expect(outcomeOfCall(failed)).toBe('not_done');
    expect(retryAfterSlackError(failed, NOW)).toEqual(new Date('2026-03-02T09:00:30Z'));
  });

  it.each([
    [400, 'not_done', undefined],
    [403, 'not_done', undefined],
    [407, 'not_done', undefined],
    [408, 'not_done', undefined],
    [500, 'unknown', undefined],
    [503, 'unknown', undefined],
  ] as const)('with HTTP status %i counts as %s', async (status, outcome, retry) => {
    const failWith = await setUp();
    const failed = await failWith({ status });
    expect(outcomeOfCall(failed)).toBe(outcome);
    expect(retryAfterSlackError(failed, NOW)).toBe(retry);
  });

  it.each([
    ['nothing', ''],
    ['a page', '<html><body>Access denied by policy</body></html>'],
    ['a word', 'forbidden'],
    ['null', 'null'],
    ['a list', '[]'],
  ])('isn’t read from HTTP 200 with %s, which Slack never answers', async (_what, text) => {
    const failWith = await setUp();
    const failed = await failWith({ text });
    expect(outcomeOfCall(failed)).toBe('not_done');
    expect(retryAfterSlackError(failed, NOW)).toBeUndefined();
  });

  it.each([
    ['an object without ok', '{}'],
    ['ok that is text', '{"ok":"true"}'],
    ['a refusal without a code', '{"ok":false}'],
    ['a refusal with a sentence', '{"ok":false,"error":"Access denied by policy"}'],
    ['a refusal with an object', '{"ok":false,"error":{"code":"blocked"}}'],
    ['half of a refusal', '{"ok":fal'],
    ['half of an answer', '{"ok":true,"chan'],
  ])('isn’t read from HTTP 200 with %s', async (_what, text) => {
    const failWith = await setUp();
    const failed = await failWith({ text });
    expect(outcomeOfCall(failed)).toBe('unknown');
    expect(retryAfterSlackError(failed, NOW)).toBeUndefined();
  });

  it('isn’t read from an answer without an end', async () => {
    const failWith = await setUp();
    const failed = await failWith({ body: { ok: false, error: 'x'.repeat(9_000_000) } });
    expect(outcomeOfCall(failed)).toBe('unknown');
    expect(String(failed)).toContain('exceeds');
  });

  it('is recognized among all other errors', () => {
    expect(retryAfterSlackError(new Error('the database is locked'), NOW)).toBeUndefined();
  });
});
