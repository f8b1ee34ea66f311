import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { verifySlackRequest } from '@slack/bolt';
import { type Route, send } from '../../ops/http-server.ts';
import type { Log } from '../../ops/logging.ts';
import type { DeliveryRefusal, SlackMetrics } from '../../ops/metrics/call-metrics.ts';
import type { Intake } from './intake.ts';

/**
 * Largest accepted body, in bytes. Slack limits views to 250 KB, besides what people type into them. Form encoding
 * makes three bytes of one (`%E4`), so a form with 32,000 Chinese characters takes more than a MiB.
 */
export const LARGEST_BODY_BYTES = 3 * 1024 * 1024;
/**
 * Signatures are checked after the body is read, so all unverified bodies are capped, in bytes.
 * Small ones don't count, so a flood of large ones can't block ordinary deliveries.
 */
const MAX_UNVERIFIED_BYTES = 16 * 1024 * 1024;
const UNCOUNTED_BYTES = 64 * 1024;

/** `too_large`: over the limit (413); `busy`: too many large bodies at once (503). */
type BodyRefusal = 'too_large' | 'busy';
const STATUS: Record<BodyRefusal, number> = { too_large: 413, busy: 503 };

/**
 * `POST /slack/events`: every delivery over HTTP. Answers 413 to a body that is too large, 503 to
 * too many large ones at once, 401 to an unsigned one, and 400 to anything that Slack doesn't send.
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
      return refuseBody(response, bytes);
    }
    const body = bytes.toString('utf8');
    const refusal = signatureProblem(signingSecret, request.headers, body, now());
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

/** Refusals that a wrong setting may cause. Others aren't logged: anyone can send what isn't signed at all. */
const LOGGED: Partial<Record<DeliveryRefusal, string>> = {
  signature:
    "refused deliveries that aren't signed with SLACK_SIGNING_SECRET: it isn't this app's, or a proxy changes what Slack sends",
  timestamp:
    "refused deliveries that were signed more than five minutes from now: this machine's clock is wrong, or somebody repeats them",
};
const LOGGED_EVERY_MS = 60_000;

/** Logs each of them at most once a minute, with how many deliveries were refused and accepted since. */
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
      const { at = 0, refused = 0 } = logged.get(reason) ?? {};
      const moment = now().getTime();
      if (Math.abs(moment - at) < LOGGED_EVERY_MS) {
        logged.set(reason, { at, refused: refused + 1 });
        return;
      }
      log.warn({ refused: refused + 1, accepted }, words);
      logged.set(reason, { at: moment, refused: 0 });
      accepted = 0;
    },
  };
}

/** Slack's tolerance, in seconds. */
const TOLERANCE_SECONDS = 300;

/**
 * Why Slack can't have signed these bytes within five minutes of now (`signature`: another secret, or
 * a proxy). Source: https://docs.slack.dev/authentication/verifying-requests-from-slack.
 */
function signatureProblem(
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

/**
 * Reads the whole body, or returns why not; the connection stays open for the answer. A declared length over the limit
 * is refused without reading. Rejects if the sender disconnects.
 */
function createBodyReader() {
  let held = 0;
  return async (request: IncomingMessage): Promise<Buffer | BodyRefusal> => {
    if (Number(request.headers['content-length'] ?? 0) > LARGEST_BODY_BYTES) return 'too_large';
    const chunks: Buffer[] = [];
    let size = 0;
    let counted = 0;
    try {
      for await (const chunk of request.iterator({ destroyOnReturn: false })) {
        size += chunk.length;
        if (size > LARGEST_BODY_BYTES) return 'too_large';
        const more = Math.max(size - UNCOUNTED_BYTES, 0) - counted;
        if (held + more > MAX_UNVERIFIED_BYTES) return 'busy';
        held += more;
        counted += more;
        chunks.push(chunk);
      }
      return Buffer.concat(chunks, size);
    } finally {
      held -= counted;
    }
  };
}

/**
 * How long a refused connection stays open, in ms. Closing a connection with unread data resets it, and the reset can
 * discard the answer (RFC 9112, section 9.6), so the sender gets time to read it first.
 */
const LINGER_MS = 1_000;

function refuseBody(response: ServerResponse, error: BodyRefusal): void {
  const body = JSON.stringify({ error });
  const type = 'application/json; charset=utf-8';
  const headers = { 'content-type': type, 'content-length': body.length, connection: 'close' };
  response.writeHead(STATUS[error], headers);
  response.write(body);
  setTimeout(() => response.end(), LINGER_MS);
}

/**
 * Parses events (JSON), commands (form-encoded), and interactions (JSON in the form's `payload`).
 * Undefined for anything else.
 */
function parseBody(text: string, contentType: string | undefined): unknown {
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return parseJson(text);
  if (type !== 'application/x-www-form-urlencoded') return undefined;
  const fields = Object.fromEntries(new URLSearchParams(text));
  return fields.payload === undefined ? fields : parseJson(fields.payload);
}

/** Undefined if it isn't JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
