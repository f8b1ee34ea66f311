import type { FetchFunction } from '@slack/web-api';
import type { Log } from '../../ops/logging.ts';

/** Where Slack and GovSlack take answers to a `response_url` (docs.slack.dev/interactivity/handling-user-interaction). */
const RESPONSE_ORIGINS = ['https://hooks.slack.com', 'https://hooks.slack-gov.com'];

/**
 * A `fetch` that reaches only Slack: the Web API, and the address that a payload names for a reply.
 *
 * @param deps.apiUrl SLACK_API_URL; what is at the same scheme, host, and port counts as Slack
 * @param deps.timeoutMs for calls that don't bring their own limit
 * @returns rejects without a request for any other address, and does not follow redirects
 */
export function createSlackFetch(deps: {
  apiUrl: string;
  timeoutMs: number;
  log: Log;
}): FetchFunction {
  const { apiUrl, timeoutMs, log } = deps;
  const origins = new Set([...RESPONSE_ORIGINS, new URL(apiUrl).origin]);
  return async (address, init) => {
    const { origin } = new URL(address);
    if (!origins.has(origin)) {
      log.warn(
        { origin },
        'a reply was not sent: its address is neither Slack’s nor SLACK_API_URL’s',
      );
      throw new Error(`${origin} is not Slack`);
    }
    const signal = init?.signal ?? AbortSignal.timeout(timeoutMs);
    return fetch(address, { ...init, signal, redirect: 'error' });
  };
}
