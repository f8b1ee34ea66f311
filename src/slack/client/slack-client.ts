import type { Logger } from '@slack/bolt';
import { LogLevel, type WebClient, type WebClientOptions } from '@slack/web-api';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import { type CallMetrics, createSlackFetch } from './slack-fetch.ts';

/** Timeout of a call, in ms. A person may be waiting. */
const CALL_TIMEOUT_MS = 5_000;

/**
 * Options for Slack's client. By default it has no timeout, retries ten times over half an hour,
 * and pauses all calls after one 429; here a call fails fast and the caller decides.
 */
export function slackClientOptions(deps: {
  apiUrl: string;
  metrics?: CallMetrics;
  log: Log;
}): WebClientOptions {
  return {
    slackApiUrl: deps.apiUrl,
    fetch: createSlackFetch({ ...deps, timeoutMs: CALL_TIMEOUT_MS }),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    logger: boltLogger(deps.log),
  };
}

/**
 * Logger for Slack's libraries. Their debug lines contain whole payloads, so only `info` and above
 * is passed on, and `getLevel` stops them from even building such lines.
 */
export function boltLogger(log: Log): Logger {
  const join = (parts: unknown[]) => parts.map(String).join(' ');
  return {
    debug: () => undefined,
    info: (...parts) => log.debug({ from: 'slack' }, join(parts)),
    warn: (...parts) => log.warn({ from: 'slack' }, join(parts)),
    error: (...parts) => log.error({ from: 'slack' }, join(parts)),
    setLevel: () => undefined,
    getLevel: () => LogLevel.INFO,
    setName: () => undefined,
  };
}

export type SlackClient = WebClient;

/** The client of a workspace, for work outside of Bolt handlers. */
export type SlackClients = { of(workspaceId: WorkspaceId): Promise<SlackClient> };
