import { type AuthTestResponse, WebClient, type WebClientOptions } from '@slack/web-api';
import { z } from 'zod';
import type { OAuthSettings } from '../../config/config.ts';
import { organizationIdOf, workspaceIdOf } from '../../installations/workspace-id.ts';
import type { BotTokens, NewInstallation } from '../../store/installations.ts';
import { isRefusedToken, slackErrorCode } from '../client/errors.ts';

export type Installed = NewInstallation & {
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
const owner = z.object({ id: z.string().min(1), name: z.string().default('') });
const installed = tokens.extend({
  app_id: z.string().default(''),
  team: owner.nullish(),
  enterprise: owner.nullish(),
  is_enterprise_install: z.boolean().default(false),
  scope: z.string().default(''),
  bot_user_id: z.string().optional(),
  authed_user: z.object({ id: z.string().optional() }).optional(),
});

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
     * @throws Slack's error (`invalid_code`, `code_already_used`, …), or ZodError for an unexpected answer
     */
    async code(code: string, redirectUri: string | undefined): Promise<Installed> {
      const named = redirectUri === undefined ? {} : { redirect_uri: redirectUri };
      const answer = installed.parse(
        await client.oauth.v2.access({ ...credentials, code, ...named }),
      );
      const isOrganization = answer.is_enterprise_install;
      const { id, name } = owner.parse(isOrganization ? answer.enterprise : answer.team);
      return {
        id: isOrganization ? organizationIdOf(id) : workspaceIdOf(id),
        name,
        isOrganization,
        ...toTokens(answer),
        appId: answer.app_id,
        botUserId: answer.bot_user_id,
        scopes: answer.scope.split(',').filter(Boolean),
        installedBy: answer.authed_user?.id,
      };
    },

    /**
     * The current token works until it expires. A refresh token works once, and again for a short
     * time only (docs.slack.dev/authentication/using-token-rotation).
     *
     * @throws Slack's error (`invalid_refresh_token` for a used one), or ZodError for an unexpected answer
     */
    async refresh(refreshToken: string): Promise<BotTokens> {
      const answer = await client.oauth.v2.access({
        ...credentials,
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
      });
      return toTokens(tokens.parse(answer));
    },
  };
}

/** @returns the owner, or Slack's code if it refuses the token. @throws Slack's error if it doesn't answer */
export async function ownerOfToken(
  token: string,
  clientOptions: WebClientOptions,
): Promise<{ owner: AuthTestResponse } | { refused: string }> {
  try {
    const client = new WebClient(token, clientOptions);
    return { owner: await client.auth.test() };
  } catch (error) {
    const code = slackErrorCode(error);
    if (code === undefined || !isRefusedToken(code)) throw error;
    return { refused: code };
  }
}
