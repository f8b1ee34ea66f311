import { type AuthTestResponse, WebClient, type WebClientOptions } from '@slack/web-api';
import { slackErrorCode } from '../client/errors.ts';
import { isRefusedToken } from './token-error.ts';

/**
 * Slack returned a token that belongs to another owner or app than its answer says, or that doesn't
 * work.
 */
export class TokenMismatchError extends Error {
  constructor(what: string, named: string, actual: string) {
    super(`Slack's answer names the ${what} ${named}, but the token belongs to ${actual}`);
    this.name = 'TokenMismatchError';
  }
}

/**
 * Looks up the owner of a token that Slack has just issued.
 *
 * @throws TokenMismatchError if Slack rejects the token, or Slack's error
 */
export async function whoseToken(
  token: string,
  clientOptions: WebClientOptions,
): Promise<AuthTestResponse> {
  return new WebClient(token, clientOptions).auth.test().catch((error: unknown) => {
    const code = slackErrorCode(error);
    if (code === undefined || !isRefusedToken(code)) throw error;
    throw new TokenMismatchError('token', 'its own', `nobody (${code})`);
  });
}

/**
 * @throws TokenMismatchError unless the token belongs to the owner and app that Slack named with it
 */
export function mustBelong(
  actual: AuthTestResponse,
  named: {
    /** A workspace, or an organization that installed the app for its workspaces. */
    ownerId: string;
    isOrganization: boolean;
    enterpriseId: string | undefined;
    appId: string;
  },
): void {
  const { team_id, enterprise_id, app_id, is_enterprise_install } = actual;
  const { ownerId, isOrganization, enterpriseId, appId } = named;
  // With an organization's token, Slack may return the organization as the team.
  const owner = isOrganization ? (enterprise_id ?? team_id) : team_id;
  const pairs: [what: string, named: unknown, actual: unknown][] = [
    ['owner', ownerId, owner ?? 'nobody'],
    ['organization', enterpriseId, enterprise_id],
    ['app', appId, app_id],
    ['install for an organization', isOrganization, is_enterprise_install],
  ];
  // auth.test always returns the owner, but not always the rest.
  const isPresent = (value: unknown) => value !== undefined && value !== '';
  const wrong = pairs.find(([, one, other]) => isPresent(one) && isPresent(other) && one !== other);
  if (wrong) throw new TokenMismatchError(wrong[0], String(wrong[1]), String(wrong[2]));
}
