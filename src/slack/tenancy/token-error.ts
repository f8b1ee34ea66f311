import { OperatorError } from '../../ops/operator-error.ts';

/** Slack does not take a token; nothing will work until it is replaced. */
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

/** Whether waiting will not make Slack take the token. */
export const isRefusedToken = (code: string): boolean => REFUSED.has(code);

const REVOKED = new Set(['account_inactive', 'token_revoked', 'invalid_auth']);

/**
 * Whether a token is refused as one is whose app was removed. It is not certain: Slack says
 * `invalid_auth` to addresses that a workspace does not allow, too.
 */
export const isRevokedToken = (code: string): boolean => REVOKED.has(code);

/** Whether a refusal has no other reason than that the app was removed. */
export const isCertainlyRevoked = (code: string, { rotates }: { rotates: boolean }): boolean =>
  // With token rotation, Slack revokes tokens while the app stays installed.
  code === 'account_inactive' || (code === 'token_revoked' && !rotates);
