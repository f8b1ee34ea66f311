import type { WebClient, WebClientOptions } from '@slack/web-api';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import { boltLogger } from './bolt-logger.ts';
import { createSlackFetch } from './slack-fetch.ts';

/** A call that Slack has not answered by then has failed, in ms. A person may be waiting. */
const CALL_TIMEOUT_MS = 5_000;

/**
 * How Slack's own client is set up. Its defaults are no time-out, ten retries over half an hour, and
 * a pause of all calls after one 429; here a call fails soon, and whoever made it decides.
 */
export function slackClientOptions(deps: { apiUrl: string; log: Log }): WebClientOptions {
  return {
    slackApiUrl: deps.apiUrl,
    fetch: createSlackFetch({ ...deps, timeoutMs: CALL_TIMEOUT_MS }),
    timeout: CALL_TIMEOUT_MS,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    logger: boltLogger(deps.log),
  };
}

export type SlackClient = WebClient;

/** The client with which the app acts in a workspace, for work that no Bolt handler started. */
export type SlackClients = { of(workspaceId: WorkspaceId): Promise<SlackClient> };
