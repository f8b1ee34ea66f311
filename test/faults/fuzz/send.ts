import type { Agent } from 'node:http';
import { postToApp } from '../../stand-ins/slack/dispatch/http.ts';
import { signedRequest } from '../../stand-ins/slack/signing.ts';
import type { HttpBody } from './http-bodies.ts';

/** Slack waits this long for an acknowledgment. */
export const SLACK_WAITS_MS = 3_000;
/** After this time, in ms, a request counts as unanswered. */
const GIVEN_UP_MS = 10_000;

/** Sends one signed body and waits for its answer; never rejects. @returns no status without one, and the ms it took */
export async function send(
  { url, signingSecret, agent }: { url: string; signingSecret: string; agent: Agent },
  { body, contentType }: HttpBody,
) {
  const started = performance.now();
  const { headers } = signedRequest(signingSecret, body, new Date(), contentType);
  const { status } = await postToApp(url, headers, body, GIVEN_UP_MS, agent);
  return { status, ms: performance.now() - started };
}
