import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outcomeOfCall, retryAfterSlackError } from '../../../src/slack/client/errors.ts';
import { clientOf, failureOf } from './answering.ts';

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
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'ratelimited',
  'rate_limited',
  'team_added_to_org',
  'org_login_required',
  // With token rotation, the next attempt has a newer token.
  'token_expired',
  'token_revoked',
];

/** Calls a server that gives this answer, as the app calls Slack. @returns the error */
async function setUp() {
  let answer: Answer = {};
  const { client } = await clientOf((_request, response) => {
    const { status = 200, headers, body = {}, text = JSON.stringify(body) } = answer;
    response.writeHead(status, headers).end(text);
  });
  return (next: Answer): Promise<unknown> => {
    answer = next;
    return failureOf(client.chat.postMessage({ channel: 'C1', text: 'Hello' }));
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

  it.each<[outcome: string, Answer]>([
    ...[400, 403, 407, 408].map((status): [string, Answer] => ['not_done', { status }]),
    ...[500, 503].map((status): [string, Answer] => ['unknown', { status }]),
    // With HTTP 200: what Slack never answers, and what may be Slack's.
    ...['', '<html><body>Access denied by policy</body></html>', 'forbidden', 'null', '[]'].map(
      (text): [string, Answer] => ['not_done', { text }],
    ),
    ...[
      '{}',
      '{"ok":"true"}',
      '{"ok":false}',
      '{"ok":fal',
      '{"ok":true,"chan',
      '{"ok":false,"error":"Access denied by policy"}',
      '{"ok":false,"error":{"code":"blocked"}}',
    ].map((text): [string, Answer] => ['unknown', { text }]),
  ])('is %s, without a code, after %o', async (outcome, answer) => {
    const failWith = await setUp();
    const failed = await failWith(answer);
    expect(outcomeOfCall(failed)).toBe(outcome);
    expect(retryAfterSlackError(failed, NOW)).toBeUndefined();
  });

  it('is recognized among all other errors', () => {
    expect(retryAfterSlackError(new Error('the database is locked'), NOW)).toBeUndefined();
  });
});
