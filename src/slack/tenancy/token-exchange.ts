import { WebClient, type WebClientOptions } from '@slack/web-api';
import { z } from 'zod';
import type { OAuthSettings } from '../../config/config.ts';
import { type OwnerId, organizationIdOf, workspaceIdOf } from '../../installations/workspace-id.ts';
import type { BotTokens, NewInstallation } from '../../store/installations.ts';
import { mustBelong, TokenMismatchError, whoseToken } from './whose-token.ts';

/** A new installation, from an OAuth code. */
export type Installed = NewInstallation & {
  /** Whether an organization installed the app for its workspaces. */
  isOrganization: boolean;
  /** Of the workspace or organization. */
  name: string;
  appId: string;
};

/** Calls `oauth.v2.access` for new installations and renewed tokens. */
export type TokenExchange = {
  /**
   * @param redirectUri the one sent to the authorize page, if any
   * @throws Slack's error (`invalid_code`, `code_already_used`, …), ZodError for an unexpected
   *   answer, or TokenMismatchError
   */
  code(code: string, redirectUri: string | undefined): Promise<Installed>;
  /**
   * The current token works until it expires. A refresh token works once, and again for a short
   * time only (docs.slack.dev/authentication/using-token-rotation).
   *
   * @param id the owner of the token
   * @throws Slack's error (`invalid_refresh_token` for a used one), or TokenMismatchError
   */
  refresh(refreshToken: string, id: OwnerId): Promise<BotTokens>;
};

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

const MS_PER_SECOND = 1_000;

export function createTokenExchange(deps: {
  oauth: Pick<OAuthSettings, 'clientId' | 'clientSecret'>;
  clientOptions: WebClientOptions;
  now: () => Date;
}): TokenExchange {
  const { oauth, clientOptions, now } = deps;
  const client = new WebClient(undefined, clientOptions);
  const credentials = { client_id: oauth.clientId, client_secret: oauth.clientSecret };

  const toTokens = (answer: z.infer<typeof tokens>): BotTokens => ({
    token: answer.access_token,
    refreshToken: answer.refresh_token,
    expiresAt:
      answer.expires_in === undefined
        ? undefined
        : new Date(now().getTime() + answer.expires_in * MS_PER_SECOND),
  });

  return {
    async code(code, redirectUri) {
      const answer = installed.parse(
        await client.oauth.v2.access({
          ...credentials,
          code,
          ...(redirectUri === undefined ? {} : { redirect_uri: redirectUri }),
        }),
      );
      const isOrganization = answer.is_enterprise_install;
      const { id, name } = named.parse(ownerOf(answer));
      const bot = await whoseToken(answer.access_token, clientOptions);
      mustBelong(bot, {
        ownerId: id,
        isOrganization,
        enterpriseId: answer.enterprise?.id,
        appId: answer.app_id,
      });
      return {
        id: isOrganization ? organizationIdOf(id) : workspaceIdOf(id),
        name,
        isOrganization,
        ...toTokens(answer),
        appId: answer.app_id,
        botId: bot.bot_id,
        botUserId: answer.bot_user_id,
        scopes: answer.scope.split(',').filter(Boolean),
        installedBy: answer.authed_user?.id,
      };
    },

    async refresh(refreshToken, id) {
      const answer = await client.oauth.v2.access({
        ...credentials,
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
      });
      const owner = ownerOf(owned.parse(answer));
      if (owner && owner.id !== id) throw new TokenMismatchError('owner', id, owner.id);
      return toTokens(tokens.parse(answer));
    },
  };
}

const ownerOf = ({ is_enterprise_install, enterprise, team }: z.infer<typeof owned>) =>
  is_enterprise_install ? enterprise : team;
