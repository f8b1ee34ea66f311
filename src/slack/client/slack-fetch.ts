import type { FetchFunction } from '@slack/web-api';
import { z } from 'zod';
import { claimHeld } from '../../jobs/held-claim.ts';
import type { Log } from '../../ops/logging.ts';
import { CLAIM_LOST, NOT_FROM_SLACK } from './errors.ts';
import { httpFetch } from './http-fetch.ts';

/**
 * The hosts of `response_url`s, for Slack and GovSlack
 * (docs.slack.dev/interactivity/handling-user-interaction).
 */
const RESPONSE_ORIGINS = ['https://hooks.slack.com', 'https://hooks.slack-gov.com'];

/**
 * What may have happened before a connection broke, and must not happen twice: a message is posted, a code or refresh token
 * is used up. Anything else reads, or sets what it set before, or needs a trigger, which works once.
 */
const NOT_REPEATABLE = new Set(['chat.postMessage', 'chat.postEphemeral', 'oauth.v2.access']);

const answer = z.union([
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), error: z.string().regex(/^[a-z]\w{0,99}$/) }),
]);

/**
 * A `fetch` that reaches only Slack: the Web API, and the `response_url` in a payload. It rejects
 * any other address without a request, redirects, and what isn't Slack's answer to a call, such as a proxy's page: Slack's
 * client would take it for an error code, and whoever reads that for a final refusal.
 *
 * @param deps.apiUrl SLACK_API_URL; its origin is allowed
 * @param deps.timeoutMs of a call, until the last byte of its answer
 */
export function createSlackFetch(deps: {
  apiUrl: string;
  timeoutMs: number;
  log: Log;
}): FetchFunction {
  const { apiUrl, timeoutMs, log } = deps;
  const origins = new Set([...RESPONSE_ORIGINS, new URL(apiUrl).origin]);
  return async (address, init = {}) => {
    const url = new URL(address);
    const { origin } = url;
    if (!origins.has(origin)) {
      log.warn(
        { origin },
        'refused to send a reply to an address outside Slack; if that is your Slack, set SLACK_API_URL',
      );
      throw new Error(`${origin} is not Slack`);
    }
    const method = url.href.startsWith(apiUrl) ? url.href.slice(apiUrl.length) : undefined;
    // Right before the call: whoever has taken the job posts the message.
    if (method === 'chat.postMessage' && !claimHeld()()) {
      throw Object.assign(new Error('another replica has the job'), { code: CLAIM_LOST });
    }
    const repeatable = method !== undefined && !NOT_REPEATABLE.has(method);
    const response = await httpFetch(url, init, { timeoutMs, repeatable });
    if (method !== undefined && response.ok) {
      const text = await response.text();
      if (!isAnswer(text)) throw noAnswer(`${method}: HTTP ${response.status}`, text);
    }
    return response;
  };
}

/** Slack answers with an object, so one that lacks its end may be Slack's, and anything else is somebody else's. */
const noAnswer = (what: string, text: string) =>
  Object.assign(new Error(`${what} without an answer of Slack`), {
    code: text.startsWith('{') ? 'UNREADABLE_ANSWER' : NOT_FROM_SLACK,
  });

function isAnswer(text: string): boolean {
  try {
    return answer.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
