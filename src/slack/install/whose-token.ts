import { type AuthTestResponse, WebClient, type WebClientOptions } from '@slack/web-api';
import { slackErrorCode } from '../client/errors.ts';
import { isRefusedToken } from '../tenancy/token-error.ts';

/** Slack's answer names one owner or app, and its token belongs to another, or works for nobody. */
export class TokenMismatchError extends Error {
  constructor(what: string, named: string, actual: string) {
    super(`Slack named the ${what} ${named}, but its token is for ${actual}`);
    this.name = 'TokenMismatchError';
  }
}

/**
 * Asks Slack whose a token is that it has just given.
 *
 * @throws TokenMismatchError if Slack doesn't accept the token, or Slack's error
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

/** @throws TokenMismatchError unless the token belongs to what Slack named together with it */
export function mustBelong(
  actual: AuthTestResponse,
  named: {
    /** The workspace, or the organization that installed the app for its workspaces. */
    ownerId: string;
    isOrganisation: boolean;
    enterpriseId: string | undefined;
    appId: string;
  },
): void {
  const { team_id, enterprise_id, app_id, is_enterprise_install } = actual;
  const { ownerId, isOrganisation, enterpriseId, appId } = named;
  // For an organization's token, Slack may name the organization as the team.
  const owner = isOrganisation ? (enterprise_id ?? team_id) : team_id;
  const pairs: [what: string, named: unknown, actual: unknown][] = [
    ['owner', ownerId, owner ?? 'nobody'],
    ['organization', enterpriseId, enterprise_id],
    ['app', appId, app_id],
    ['install for an organization', isOrganisation, is_enterprise_install],
  ];
  // Apart from the owner, auth.test doesn't always say.
  const isSaid = (value: unknown) => value !== undefined && value !== '';
  const wrong = pairs.find(([, one, other]) => isSaid(one) && isSaid(other) && one !== other);
  if (wrong) throw new TokenMismatchError(wrong[0], String(wrong[1]), String(wrong[2]));
}
