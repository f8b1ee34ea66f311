import { createHmac, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { reasonOf } from '../../ask-slack.ts';
import { type Check, failed, passed, skipped } from '../check.ts';

const answered = z.object({ challenge: z.string() });
const TIMEOUT_MS = 10_000;
const UNAUTHORIZED = 401;

/**
 * Does what Slack does to verify a request URL: a signed challenge, which has to come back. Whether Slack itself has
 * done so can't be read, so it is part of the setup.
 */
export const requestUrl: Check = {
  name: 'request-url',
  category: 'address',
  about:
    "HTTP: a request that is signed like Slack's gets through PUBLIC_URL, and an unsigned one doesn't.",
  needs: 'settings',
  async run({ config: { publicUrl, slack }, now }) {
    if (slack.transport.mode !== 'http') return skipped('the app uses Socket Mode');
    if (!publicUrl) return skipped('PUBLIC_URL is not set');
    const url = `${publicUrl}/slack/events`;
    const challenge = randomUUID();
    const body = JSON.stringify({ type: 'url_verification', challenge });
    try {
      const signed = await post(url, body, signatureOf(slack.transport.signingSecret, body, now()));
      const echoed = answered.safeParse(await signed.json().catch(() => undefined));
      if (signed.status === UNAUTHORIZED) {
        return failed(
          `The app at ${publicUrl} doesn't accept the signature.`,
          'It runs with another SLACK_SIGNING_SECRET, its clock is wrong, or a proxy changes the body.',
        );
      }
      if (echoed.data?.challenge !== challenge) {
        return failed(
          `${url} doesn't answer like the app (HTTP ${signed.status}).`,
          'Let the proxy pass POST /slack/events on to the app.',
        );
      }
      const unsigned = await post(url, body, {});
      await unsigned.body?.cancel();
      if (unsigned.status === UNAUTHORIZED)
        return passed("signed requests get through, others don't");
      return failed(
        `${url} also accepts requests that nobody signed.`,
        'Something in front of the app answers in its place.',
      );
    } catch (error) {
      return skipped(`PUBLIC_URL can't be reached (${reasonOf(error)})`);
    }
  },
};

const post = (url: string, body: string, headers: Record<string, string>) =>
  fetch(url, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { 'content-type': 'application/json', ...headers },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });

/** Source: docs.slack.dev/authentication/verifying-requests-from-slack. */
function signatureOf(secret: string, body: string, now: Date): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1_000);
  const hmac = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': String(timestamp), 'x-slack-signature': `v0=${hmac}` };
}
