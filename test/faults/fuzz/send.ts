import { type Agent, request } from 'node:http';
import { signedRequest } from '../../stand-ins/slack/signing.ts';
import type { HttpBody } from './http-bodies.ts';

/** Slack waits this long for an acknowledgment. */
export const SLACK_WAITS_MS = 3_000;
/** After this time, in ms, a request counts as unanswered. */
const GIVEN_UP_MS = 10_000;

export type Answer = {
  /** Undefined if there was none. */
  status: number | undefined;
  /** From the first byte sent to the last one received, in ms. */
  ms: number;
};

/** Sends one signed body and waits for its answer; never rejects. */
export function send(
  { url, signingSecret, agent }: { url: string; signingSecret: string; agent: Agent },
  { body, contentType }: HttpBody,
): Promise<Answer> {
  const started = performance.now();
  const { headers } = signedRequest(signingSecret, body, new Date(), contentType);
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const done = (status: number | undefined) => resolve({ status, ms: performance.now() - started });
  const length = Buffer.byteLength(body);
  request(
    url,
    {
      method: 'POST',
      agent,
      headers: { ...headers, 'content-length': length },
      signal: AbortSignal.timeout(GIVEN_UP_MS),
    },
    (response) => {
      response.resume();
      response.on('end', () => done(response.statusCode)).on('error', () => done(undefined));
    },
  )
    .on('error', () => done(undefined))
    .end(body);
  return promise;
}
