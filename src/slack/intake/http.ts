import type { IncomingHttpHeaders } from 'node:http';
import { verifySlackRequest } from '@slack/bolt';
import { type Route, send } from '../../ops/http-server.ts';
import type { Log } from '../../ops/logging.ts';
import type { DeliveryRefusal, SlackMetrics } from '../../ops/metrics/slack-metrics.ts';
import { createBodyReader, parseBody, refuseBody } from './body.ts';
import type { Intake } from './intake.ts';

/**
 * `POST /slack/events`: every delivery over HTTP. Answers 413 to a body that is too large, 503 when
 * too many large bodies arrive at once, 401 to an unsigned one, and 400 to anything Slack doesn't
 * send.
 */
export function slackEventsRoute(deps: {
  intake: Pick<Intake, 'receive'>;
  signingSecret: string;
  metrics: Pick<SlackMetrics, 'refused'>;
  now: () => Date;
  log: Log;
}): Route {
  const { intake, signingSecret, metrics, now } = deps;
  const readBody = createBodyReader();
  const refusals = logRefusals(deps);
  return async (request, response) => {
    const bytes = await readBody(request);
    if (typeof bytes === 'string') {
      metrics.refused(bytes);
      return refuseBody(request, response, bytes);
    }
    const body = bytes.toString('utf8');
    const refusal = whyNotSigned(signingSecret, request.headers, body, now());
    if (refusal) {
      metrics.refused(refusal);
      refusals.refused(refusal);
      return send(response, 401, { error: 'not_signed_by_slack' });
    }
    refusals.accepted();
    const reply = await intake.receive(parseBody(body, request.headers['content-type']));
    send(response, reply.status, reply.body);
  };
}

/** What Slack would send if a setting were wrong. Anyone can send what isn't signed at all. */
const LOGGED: Partial<Record<DeliveryRefusal, string>> = {
  signature:
    "refused deliveries that aren't signed with SLACK_SIGNING_SECRET: it isn't this app's, or a proxy changes what Slack sends",
  timestamp:
    "refused deliveries that were signed more than five minutes from now: this machine's clock is wrong, or somebody repeats them",
};
const LOGGED_EVERY_MS = 60_000;

function logRefusals({ now, log }: { now: () => Date; log: Log }) {
  let accepted = 0;
  const logged = new Map<DeliveryRefusal, { at: number; refused: number }>();
  return {
    accepted() {
      accepted += 1;
    },
    refused(reason: DeliveryRefusal) {
      const words = LOGGED[reason];
      if (!words) return;
      const last = logged.get(reason) ?? { at: Number.NEGATIVE_INFINITY, refused: 0 };
      last.refused += 1;
      logged.set(reason, last);
      if (Math.abs(now().getTime() - last.at) < LOGGED_EVERY_MS) return;
      log.warn({ refused: last.refused, accepted }, words);
      logged.set(reason, { at: now().getTime(), refused: 0 });
      accepted = 0;
    },
  };
}

/** Slack's tolerance, in seconds. */
const TOLERANCE_SECONDS = 300;

/**
 * Checks that Slack signed these bytes within the last five minutes
 * (https://docs.slack.dev/authentication/verifying-requests-from-slack).
 *
 * @returns why not: it isn't signed at all, with another secret (or a proxy changed its body), or more than five minutes
 *   from now
 */
function whyNotSigned(
  signingSecret: string,
  headers: IncomingHttpHeaders,
  body: string,
  now: Date,
): 'unsigned' | 'signature' | 'timestamp' | undefined {
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
