import type { IncomingHttpHeaders } from 'node:http';
import { verifySlackRequest } from '@slack/bolt';

/**
 * Slack's tolerance, in seconds. Bolt applies it to timestamps in the past, we also to the future.
 */
const TOLERANCE_SECONDS = 300;

/**
 * Whether Slack signed these bytes within the last five minutes
 * (https://docs.slack.dev/authentication/verifying-requests-from-slack).
 */
export function isSignedBySlack(options: {
  signingSecret: string;
  headers: IncomingHttpHeaders;
  body: string;
  now: Date;
}): boolean {
  const { signingSecret, headers, body, now } = options;
  const signature = headers['x-slack-signature'];
  const timestamp = headers['x-slack-request-timestamp'];
  if (typeof signature !== 'string' || typeof timestamp !== 'string') return false;
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Number(timestamp) - now.getTime() / 1000 > TOLERANCE_SECONDS) return false;
  try {
    verifySlackRequest({
      signingSecret,
      body,
      headers: { 'x-slack-signature': signature, 'x-slack-request-timestamp': Number(timestamp) },
      nowMilliseconds: now.getTime(),
    });
    return true;
  } catch {
    return false;
  }
}
