import { WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api';

/** Slack's code for a refused call, such as `not_in_channel`; undefined for every other error. */
export function slackErrorCode(error: unknown): string | undefined {
  return error instanceof WebAPIPlatformError ? error.data.error : undefined;
}

/** When a call that Slack limited may be made again; undefined for every other error. */
export function slackRetryAt(error: unknown, now: Date): Date | undefined {
  if (!(error instanceof WebAPIRateLimitedError)) return undefined;
  const seconds = Number.isFinite(error.retryAfter) ? Math.max(error.retryAfter, 1) : 1;
  return new Date(now.getTime() + seconds * 1_000);
}

/** Slack's own trouble, which passes: the call failed, and will not fail for long. */
const SLACKS_TROUBLE = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'ratelimited',
]);

/** The network gave up before a connection stood. */
const NEVER_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * What a failed call means for whoever made it:
 * - `refused`: Slack said no, and would say it again;
 * - `not_done`: it did not happen, and may work later;
 * - `unknown`: it may have happened.
 */
export function outcomeOfCall(error: unknown): 'refused' | 'not_done' | 'unknown' {
  const code = slackErrorCode(error);
  if (code !== undefined) return SLACKS_TROUBLE.has(code) ? 'not_done' : 'refused';
  if (error instanceof WebAPIRateLimitedError) return 'not_done';
  const isUnconnected =
    error instanceof WebAPIRequestError &&
    'code' in error.original &&
    NEVER_CONNECTED.has(String(error.original.code));
  return isUnconnected ? 'not_done' : 'unknown';
}
