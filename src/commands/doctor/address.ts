import { createHmac, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { HOW_TO_GET } from '../../config/help.ts';
import { httpFetch } from '../../outgoing.ts';
import { reasonOf } from '../ask-slack.ts';
import { askRunningApp, type Check, type Finding, failed, passed, skipped } from './check.ts';

const TIMEOUT_MS = 10_000;
const REFUSED = 'design_request_deliveries_refused_total';

const sumOf = (metrics: string, series: string): number =>
  metrics
    .split('\n')
    .filter((line) => line.startsWith(series))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);

const answered = z.object({ challenge: z.string() });
const UNAUTHORIZED = 401;

const ask = (url: string, request: Parameters<typeof httpFetch>[1] = {}) =>
  httpFetch(new URL(url), request, { timeoutMs: TIMEOUT_MS });

/** Source: docs.slack.dev/authentication/verifying-requests-from-slack. */
function signatureOf(secret: string, body: string, now: Date): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1_000);
  const hmac = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': String(timestamp), 'x-slack-signature': `v0=${hmac}` };
}

/**
 * Does what Slack does to verify a request URL: a signed challenge, which has to come back. Whether Slack itself has
 * done so can't be read, so it is part of the setup.
 */
async function verify(publicUrl: string, secret: string, now: Date): Promise<Finding> {
  const challenge = randomUUID();
  const body = JSON.stringify({ type: 'url_verification', challenge });
  const headers = { 'content-type': 'application/json', ...signatureOf(secret, body, now) };
  const signed = await ask(`${publicUrl}/slack/events`, { method: 'POST', body, headers });
  const echoed = answered.safeParse(await signed.json().catch(() => undefined));
  if (echoed.data?.challenge === challenge) return passed(`${publicUrl}, also for signed requests`);
  if (signed.status === UNAUTHORIZED) {
    return failed(
      `The app at ${publicUrl} doesn't accept the signature.`,
      'It runs with another SLACK_SIGNING_SECRET, its clock is wrong, or a proxy changes the body.',
    );
  }
  return failed(
    `${publicUrl}/slack/events doesn't answer like the app (HTTP ${signed.status}).`,
    'Let the proxy pass POST /slack/events on to the app.',
  );
}

export const addressChecks: readonly Check[] = [
  {
    name: 'public-address',
    about: "PUBLIC_URL leads to the app; over HTTP, also requests that are signed like Slack's.",
    async run({ config: { publicUrl, slack }, now }) {
      if (!publicUrl) return skipped('PUBLIC_URL is not set');
      const fix = 'Start the app, and point the proxy, tunnel, or DNS of PUBLIC_URL to it.';
      try {
        const { status } = await ask(`${publicUrl}/healthz`);
        if (status !== 200) return failed(`${publicUrl}/healthz answers with HTTP ${status}.`, fix);
        if (slack.transport.mode !== 'http') return passed(publicUrl);
        return await verify(publicUrl, slack.transport.signingSecret, now());
      } catch (error) {
        return failed(`${publicUrl} can't be reached (${reasonOf(error)}).`, fix);
      }
    },
  },
  /** A wrong signing secret can't be noticed otherwise: only Slack knows the right one. */
  {
    name: 'refused-deliveries',
    about: 'HTTP: the running app accepts the signatures of what Slack sends.',
    async run({ config: { slack, server, metricsToken } }) {
      if (slack.transport.mode !== 'http') return skipped('the app uses Socket Mode');
      const headers = metricsToken === undefined ? {} : { authorization: `Bearer ${metricsToken}` };
      const metrics = await askRunningApp(server, '/metrics', headers)
        .then((response) => response.text())
        .catch(() => '');
      if (!metrics.includes(REFUSED)) return skipped("the app doesn't run on this machine");
      const refused = sumOf(metrics, `${REFUSED}{reason="signature"}`);
      const accepted = sumOf(metrics, 'design_request_acknowledgment_seconds_count');
      if (refused <= accepted) return passed(`${accepted} accepted, ${refused} refused`);
      return failed(
        `Since its start, the app has refused ${refused} deliveries that aren't signed with SLACK_SIGNING_SECRET, and accepted ${accepted}.`,
        `Copy SLACK_SIGNING_SECRET again: ${HOW_TO_GET.SLACK_SIGNING_SECRET} Or a proxy changes what Slack sends.`,
      );
    },
  },
];
