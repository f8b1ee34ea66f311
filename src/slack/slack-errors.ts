import { WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api';

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
