import type { WebClient, WebClientOptions } from '@slack/web-api';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import { boltLogger } from './bolt-logger.ts';
import { createSlackFetch } from './slack-fetch.ts';

/** Timeout of a call, in ms. A person may be waiting. */
const CALL_TIMEOUT_MS = 5_000;

/**
 * Options for Slack's client. By default it has no timeout, retries ten times over half an hour,
 * and pauses all calls after one 429; here a call fails fast and the caller decides.
 */
export function slackClientOptions(deps: { apiUrl: string; log: Log }): WebClientOptions {
  return {
    slackApiUrl: deps.apiUrl,
    fetch: createSlackFetch({ ...deps, timeoutMs: CALL_TIMEOUT_MS }),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    logger: boltLogger(deps.log),
  };
}

export type SlackClient = WebClient;

/** The client of a workspace, for work outside of Bolt handlers. */
export type SlackClients = { of(workspaceId: WorkspaceId): Promise<SlackClient> };
