import { OperatorError } from '../ops/operator-error.ts';

/** Slack does not take a token; nothing will work until it is replaced. */
export class SlackTokenError extends OperatorError {
  /** @param code Slack's, for example `invalid_auth` */
  constructor(setting: keyof typeof WHERE_TO_FIND, code: string) {
    super(
      `Slack refused ${setting} (${code}). Copy it again from api.slack.com/apps → your app → ${WHERE_TO_FIND[setting]}.`,
    );
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

/** Whether waiting will not make Slack take the token. */
export const isRefusedToken = (code: string): boolean => REFUSED.has(code);

const REVOKED = new Set(['account_inactive', 'token_revoked', 'invalid_auth']);

/** Whether a token is refused because it was taken away: the app is not installed there any more. */
export const isRevokedToken = (code: string): boolean => REVOKED.has(code);
