import type { FetchFunction } from '@slack/web-api';
import type { Log } from '../../ops/logging.ts';
import { httpFetch } from './http-fetch.ts';

/**
 * The hosts of `response_url`s, for Slack and GovSlack
 * (docs.slack.dev/interactivity/handling-user-interaction).
 */
const RESPONSE_ORIGINS = ['https://hooks.slack.com', 'https://hooks.slack-gov.com'];

/**
 * A `fetch` that reaches only Slack: the Web API, and the `response_url` in a payload. It rejects
 * any other address without a request, and redirects.
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
    return httpFetch(url, init, { timeoutMs });
  };
}
