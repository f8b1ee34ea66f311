import type { IncomingHttpHeaders } from 'node:http';
import { verifySlackRequest } from '@slack/bolt';

/** Slack's tolerance, in seconds. */
const TOLERANCE_SECONDS = 300;

/**
 * Why a delivery isn't accepted: it isn't signed at all, with another secret (or a proxy changed its body), or more than five
 * minutes from now.
 */
export type SignatureRefusal = 'unsigned' | 'signature' | 'timestamp';

/**
 * Checks that Slack signed these bytes within the last five minutes
 * (https://docs.slack.dev/authentication/verifying-requests-from-slack).
 *
 * @returns undefined if it did
 */
export function whyNotSigned(options: {
  signingSecret: string;
  headers: IncomingHttpHeaders;
  body: string;
  now: Date;
}): SignatureRefusal | undefined {
  const { signingSecret, headers, body, now } = options;
  const signature = headers['x-slack-signature'];
  const timestamp = headers['x-slack-request-timestamp'];
  if (typeof signature !== 'string' || typeof timestamp !== 'string') return 'unsigned';
  if (!/^\d{1,12}$/.test(timestamp) || !/^v0=[\da-f]{64}$/.test(signature)) return 'unsigned';
  try {
    verifySlackRequest({
      signingSecret,
      body,
      headers: { 'x-slack-signature': signature, 'x-slack-request-timestamp': Number(timestamp) },
      // The time is checked below, in both directions.
      nowMilliseconds: Number(timestamp) * 1_000,
    });
  } catch {
    return 'signature';
  }
  const seconds = Math.abs(Number(timestamp) - now.getTime() / 1_000);
  return seconds > TOLERANCE_SECONDS ? 'timestamp' : undefined;
}
