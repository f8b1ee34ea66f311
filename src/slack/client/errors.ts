import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { OperatorError } from '../../ops/operator-error.ts';

/** Slack's code for a refused call, such as `not_in_channel`; undefined for other errors. */
export function slackErrorCode(error: unknown): string | undefined {
  return error instanceof WebAPIPlatformError ? error.data.error : undefined;
}

/** When a rate-limited call may be repeated; undefined for other errors. */
export function slackRetryAt(error: unknown, now: Date): Date | undefined {
  if (!(error instanceof WebAPIRateLimitedError)) return undefined;
  const seconds = Number.isFinite(error.retryAfter) ? Math.max(error.retryAfter, 1) : 1;
  return new Date(now.getTime() + seconds * 1_000);
}

/** Other codes are final. Source: "Errors" on each page under docs.slack.dev/reference/methods. */
const TRANSIENT_CODES = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'ratelimited',
  'rate_limited',
  // With token rotation, the next attempt uses a new token: the old one expires, or another renewal revokes it.
  // If the app was removed instead, its jobs are deleted with the workspace.
  'token_expired',
  'token_revoked',
  // A workspace is being moved into an Enterprise organization.
  'team_added_to_org',
  'org_login_required',
]);

const FIRST_SERVER_ERROR = 500;

/** The code of an error if a proxy or the like answered in Slack's place. */
export const NOT_FROM_SLACK = 'NOT_FROM_SLACK';

/** The code of an error if the job that wants to post a message may belong to another process. */
export const CLAIM_LOST = 'CLAIM_LOST';

const NEVER_REACHED = new Set([
  NOT_FROM_SLACK,
  CLAIM_LOST,
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ERR_PROXY_TUNNEL',
]);

/**
 * What a failed call means:
 * - `refused`: Slack said no and would say no again;
 * - `not_done`: nothing happened, and it may work later;
 * - `unknown`: it may have happened.
 */
export function outcomeOfCall(error: unknown): 'refused' | 'not_done' | 'unknown' {
  const code = slackErrorCode(error);
  if (code !== undefined) return TRANSIENT_CODES.has(code) ? 'not_done' : 'refused';
  if (error instanceof WebAPIRateLimitedError) return 'not_done';
  // Slack refuses with 200 and a code; a 4xx comes from a proxy or a load balancer, and may be gone later. If Slack did
  // answer so, little is lost: nothing has happened, and a job ends after about two hours of retries.
  if (error instanceof WebAPIHTTPError && error.statusCode < FIRST_SERVER_ERROR) return 'not_done';
  return neverReached(error) ? 'not_done' : 'unknown';
}

/** Why Slack gave no usable answer, for the log of an operator. */
export function unansweredReason(error: unknown): string {
  return neverReached(error)
    ? `Slack can't be reached (${networkErrorCode(error)}). Check this machine's network, DNS, firewall, and proxy, and SLACK_API_URL`
    : 'Slack does not answer';
}

/** Node's AggregateError means that no address of the host could be connected to. */
const neverReached = (error: unknown): boolean =>
  NEVER_REACHED.has(networkErrorCode(error)) ||
  (error instanceof WebAPIRequestError && error.original instanceof AggregateError);

function networkErrorCode(error: unknown): string {
  if (!(error instanceof WebAPIRequestError)) return '';
  const { original } = error;
  return 'code' in original ? String(original.code) : '';
}

/** When to retry a job that failed with an error from Slack, if the error says: `never` if Slack would refuse again. */
export function retryAfterSlackError(error: unknown, now: Date): Date | 'never' | undefined {
  return slackRetryAt(error, now) ?? (outcomeOfCall(error) === 'refused' ? 'never' : undefined);
}

/** Slack refuses a token from the configuration. Nothing works until it is replaced. */
export class SlackTokenError extends OperatorError {
  readonly code: string;
  constructor(setting: keyof typeof WHERE_TO_FIND, code: string) {
    super(
      `Slack refused ${setting} (${code}). Copy it again from api.slack.com/apps → your app → ${WHERE_TO_FIND[setting]}.`,
    );
    this.code = code;
  }
}

const WHERE_TO_FIND = {
  SLACK_BOT_TOKEN: 'OAuth & Permissions, or reinstall the app there',
  SLACK_APP_TOKEN: 'Basic Information → App-Level Tokens; it needs connections:write',
} as const;

const REFUSED = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'not_allowed_token_type',
  'missing_scope',
]);

export const isRefusedToken = (code: string): boolean => REFUSED.has(code);

const REVOKED = new Set(['account_inactive', 'token_revoked', 'invalid_auth']);

/** The app may be gone, but `invalid_auth` also comes if a workspace forbids our IP address. */
export const isRevokedToken = (code: string): boolean => REVOKED.has(code);

/** Whether only a removal explains the code: token rotation revokes tokens of an installed app. */
export const isCertainlyRevoked = (code: string, { rotates }: { rotates: boolean }): boolean =>
  code === 'account_inactive' || (code === 'token_revoked' && !rotates);
