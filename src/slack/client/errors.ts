import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';

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

/**
 * The codes of failures that pass; every other code, known or new, is Slack's final answer. Source: the
 * "Errors" of each page under docs.slack.dev/reference/methods.
 */
const TRANSIENT_CODES = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'ratelimited',
  'rate_limited',
  // With token rotation; the next attempt is made with a new token.
  'token_expired',
  // A workspace is being moved into an Enterprise organization.
  'team_added_to_org',
  'org_login_required',
]);

/** HTTP statuses below 500 after which the same call may work later. */
const TRANSIENT_STATUSES = new Set([408, 429]);
const FIRST_SERVER_ERROR = 500;

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
 * What a failed call means for the caller:
 * - `refused`: Slack said no, and would say no again;
 * - `not_done`: nothing happened, and it may work later;
 * - `unknown`: it may have happened.
 */
export function outcomeOfCall(error: unknown): 'refused' | 'not_done' | 'unknown' {
  const code = slackErrorCode(error);
  if (code !== undefined) return TRANSIENT_CODES.has(code) ? 'not_done' : 'refused';
  if (error instanceof WebAPIRateLimitedError) return 'not_done';
  if (error instanceof WebAPIHTTPError && error.statusCode < FIRST_SERVER_ERROR) {
    return TRANSIENT_STATUSES.has(error.statusCode) ? 'not_done' : 'refused';
  }
  return NEVER_CONNECTED.has(networkErrorCode(error)) ? 'not_done' : 'unknown';
}

/** `fetch` rejects with "fetch failed", and the system's error is its cause. */
function networkErrorCode(error: unknown): string {
  if (!(error instanceof WebAPIRequestError)) return '';
  const { cause } = error.original;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}

/**
 * When to run a job again that failed with an error from Slack: when Slack says so, or never if Slack
 * would refuse again.
 *
 * @returns undefined if the error doesn't say
 */
export function retryAfterSlackError(error: unknown, now: Date): Date | 'never' | undefined {
  return slackRetryAt(error, now) ?? (outcomeOfCall(error) === 'refused' ? 'never' : undefined);
}
