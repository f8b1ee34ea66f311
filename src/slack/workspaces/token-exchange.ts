import { type AuthTestResponse, WebClient, type WebClientOptions } from '@slack/web-api';
import { z } from 'zod';
import type { OAuthSettings } from '../../config/config.ts';
import { type OwnerId, organizationIdOf, workspaceIdOf } from '../../installations/workspace-id.ts';
import type { BotTokens, NewInstallation } from '../../store/installations.ts';
import { isRefusedToken, slackErrorCode } from '../client/errors.ts';

/**
 * Slack returned a token that belongs to another owner or app than its answer says, or that doesn't
 * work.
 */
export class TokenMismatchError extends Error {
  override name = 'TokenMismatchError';
}

const mismatch = (what: string, named: unknown, actual: unknown) =>
  new TokenMismatchError(
    `Slack's answer and auth.test disagree about the ${what}: ${named}, ${actual}`,
  );

/** A new installation, from an OAuth code. */
export type Installed = NewInstallation & {
  /** Whether an organization installed the app for its workspaces. */
  isOrganization: boolean;
  /** Of the workspace or organization. */
  name: string;
  appId: string;
};

export type TokenExchange = ReturnType<typeof createTokenExchange>;

const tokens = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  /** In seconds. */
  expires_in: z.number().positive().optional(),
});
const named = z.object({ id: z.string().min(1), name: z.string().default('') });
const owned = z.object({
  app_id: z.string().default(''),
  team: named.nullish(),
  enterprise: named.nullish(),
  is_enterprise_install: z.boolean().default(false),
});
const installed = z.object({
  ...tokens.shape,
  ...owned.shape,
  scope: z.string().default(''),
  bot_user_id: z.string().optional(),
  authed_user: z.object({ id: z.string().optional() }).optional(),
});

/** Calls `oauth.v2.access` for new installations and renewed tokens. */
export function createTokenExchange(deps: {
  oauth: Pick<OAuthSettings, 'clientId' | 'clientSecret'>;
  clientOptions: WebClientOptions;
  now: () => Date;
}) {
  const { oauth, clientOptions, now } = deps;
  const client = new WebClient(undefined, clientOptions);
  const credentials = { client_id: oauth.clientId, client_secret: oauth.clientSecret };

  const toTokens = (answer: z.infer<typeof tokens>): BotTokens => ({
    token: answer.access_token,
    refreshToken: answer.refresh_token,
    expiresAt:
      answer.expires_in === undefined
        ? undefined
        : new Date(now().getTime() + answer.expires_in * 1_000),
  });

  return {
    /**
     * @param redirectUri the one sent to the authorize page, if any
     * @throws Slack's error (`invalid_code`, `code_already_used`, …), ZodError for an unexpected
     *   answer, or TokenMismatchError
     */
    async code(code: string, redirectUri: string | undefined): Promise<Installed> {
      const answer = installed.parse(
        await client.oauth.v2.access({
          ...credentials,
          code,
          ...(redirectUri === undefined ? {} : { redirect_uri: redirectUri }),
        }),
      );
      const isOrganization = answer.is_enterprise_install;
      const { id, name } = named.parse(ownerOf(answer));
      const asked = await ownerOfToken(answer.access_token, clientOptions);
      if ('refused' in asked) {
        throw new TokenMismatchError(`Slack refuses the token it returned (${asked.refused})`);
      }
      mustBelong(asked.owner, answer);
      return {
        id: isOrganization ? organizationIdOf(id) : workspaceIdOf(id),
        name,
        isOrganization,
        ...toTokens(answer),
        appId: answer.app_id,
        botId: asked.owner.bot_id,
        botUserId: answer.bot_user_id,
        scopes: answer.scope.split(',').filter(Boolean),
        installedBy: answer.authed_user?.id,
      };
    },

    /**
     * The current token works until it expires. A refresh token works once, and again for a short
     * time only (docs.slack.dev/authentication/using-token-rotation).
     *
     * @param id the owner of the token
     * @throws Slack's error (`invalid_refresh_token` for a used one), or TokenMismatchError
     */
    async refresh(refreshToken: string, id: OwnerId): Promise<BotTokens> {
      const answer = await client.oauth.v2.access({
        ...credentials,
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
      });
      const owner = ownerOf(owned.parse(answer));
      if (owner && owner.id !== id) {
        throw new TokenMismatchError(`Slack renewed the token of ${id} with one of ${owner.id}`);
      }
      return toTokens(tokens.parse(answer));
    },
  };
}

const ownerOf = ({ is_enterprise_install, enterprise, team }: z.infer<typeof owned>) =>
  is_enterprise_install ? enterprise : team;

/**
 * Asks Slack whose token it is.
 *
 * @returns the owner, or Slack's code if it refuses the token
 * @throws Slack's error if it doesn't answer
 */
export async function ownerOfToken(
  token: string,
  clientOptions: WebClientOptions,
): Promise<{ owner: AuthTestResponse } | { refused: string }> {
  try {
    return { owner: await new WebClient(token, clientOptions).auth.test() };
  } catch (error) {
    const code = slackErrorCode(error);
    if (code === undefined || !isRefusedToken(code)) throw error;
    return { refused: code };
  }
}

/**
 * @throws TokenMismatchError unless the token belongs to the owner and app that Slack named with it
 */
function mustBelong(actual: AuthTestResponse, named: z.infer<typeof owned>): void {
  const { team_id, enterprise_id, app_id, is_enterprise_install } = actual;
  // With an organization's token, Slack may return the organization as the team.
  const owner = named.is_enterprise_install ? (enterprise_id ?? team_id) : team_id;
  const pairs: [what: string, named: unknown, actual: unknown][] = [
    ['owner', ownerOf(named)?.id, owner ?? 'nobody'],
    ['organization', named.enterprise?.id, enterprise_id],
    ['app', named.app_id, app_id],
    ['install for an organization', named.is_enterprise_install, is_enterprise_install],
  ];
  // auth.test always returns the owner, but not always the rest.
  const isPresent = (value: unknown) => value !== undefined && value !== '';
  const wrong = pairs.find(([, one, other]) => isPresent(one) && isPresent(other) && one !== other);
  if (wrong) throw mismatch(...wrong);
}
