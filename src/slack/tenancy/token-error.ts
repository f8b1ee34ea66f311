import { OperatorError } from '../../ops/operator-error.ts';

/** Slack refuses a token from the configuration. Nothing works until it is replaced. */
export class SlackTokenError extends OperatorError {
  readonly code: string;
  /** @param code Slack's, for example `invalid_auth` */
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

/** Whether Slack will keep refusing the token. */
export const isRefusedToken = (code: string): boolean => REFUSED.has(code);

const REVOKED = new Set(['account_inactive', 'token_revoked', 'invalid_auth']);

/**
 * Whether the code may mean that the app was removed. Not certain: Slack also returns
 * `invalid_auth` to addresses that a workspace doesn't allow.
 */
export const isRevokedToken = (code: string): boolean => REVOKED.has(code);

/** Whether the code can only mean that the app was removed. */
export const isCertainlyRevoked = (code: string, { rotates }: { rotates: boolean }): boolean =>
  // Token rotation revokes tokens while the app stays installed.
  code === 'account_inactive' || (code === 'token_revoked' && !rotates);
