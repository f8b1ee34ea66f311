import { asText, type JsonObject } from './json.ts';
import { scopesWithout } from './manifest.ts';
import { refuse } from './refusal.ts';
import {
  installingOrganization,
  isInstalled,
  type SlackState,
  type WorkspaceRecord,
  workspaceOf,
} from './state/state.ts';
import { issueBotToken, TOKEN_LIFE_S } from './state/tokens.ts';

/** How long a code can be exchanged. Source: Slack's documentation of OAuth. */
const CODE_LIFE_MS = 10 * 60 * 1000;
/** Slack's documentation of token rotation says "a short grace period" without a number. */
const REFRESH_GRACE_MS = 10_000;
const SECRET_BYTES = 16;

interface Code {
  workspaceId: string;
  userId: string;
  scopes: string[];
  redirectUri: string | undefined;
  issuedAt: number;
  used: boolean;
}

interface RefreshToken {
  workspaceId: string;
  scopes: string[];
  /** Undefined while it is unused; milliseconds since 1970. */
  usedAt: number | undefined;
}

export type OAuth = ReturnType<typeof createOAuth>;

export function createOAuth(state: SlackState, refreshGraceMs = REFRESH_GRACE_MS) {
  const codes = new Map<string, Code>();
  const refreshTokens = new Map<string, RefreshToken>();

  function checkRedirect(redirectUri: string | undefined): string {
    const configured = state.manifest.redirectUrls;
    if (!redirectUri) return configured[0] ?? refuse('bad_redirect_uri');
    // Slack accepts URLs that start with a configured one.
    const allowed = configured.some((url) => redirectUri.startsWith(url));
    return allowed ? redirectUri : refuse('bad_redirect_uri');
  }

  function readRequest(authorizeUrl: string) {
    const { searchParams } = new URL(authorizeUrl);
    if (searchParams.get('client_id') !== state.app.clientId) refuse('invalid_client_id');
    const scopes = (searchParams.get('scope') ?? '').split(',').filter(Boolean);
    const known = scopes.every((scope) => state.manifest.botScopes.includes(scope));
    if (scopes.length === 0 || !known) refuse('invalid_scope');
    const redirectUri = searchParams.get('redirect_uri') ?? undefined;
    const back = new URL(checkRedirect(redirectUri));
    const oauthState = searchParams.get('state');
    if (oauthState !== null) back.searchParams.set('state', oauthState);
    return { scopes, redirectUri, back };
  }

  function tokenAnswer(workspaceId: string, scopes: string[]): JsonObject {
    const { token, expiresAt } = issueBotToken(state, workspaceId, scopes);
    const answer = { access_token: token, scope: scopes.join(',') };
    if (expiresAt === undefined) return answer;
    const refreshToken = `xoxe-1-${state.ids.secret(SECRET_BYTES)}`;
    refreshTokens.set(refreshToken, { workspaceId, scopes, usedAt: undefined });
    return { ...answer, refresh_token: refreshToken, expires_in: TOKEN_LIFE_S };
  }

  function identity(workspaceId: string): JsonObject {
    const { botUserId, name, enterpriseId, orgWideInstall } = workspaceOf(state, workspaceId);
    return {
      app_id: state.app.id,
      bot_user_id: botUserId,
      team: orgWideInstall ? null : { id: workspaceId, name },
      enterprise: enterpriseId ? { id: enterpriseId, name: `${enterpriseId} organization` } : null,
      is_enterprise_install: orgWideInstall,
    };
  }

  function exchangeCode(args: JsonObject): JsonObject {
    const code = codes.get(asText(args.code));
    if (!code) return refuse('invalid_code');
    if (code.used) return refuse('code_already_used');
    if (state.clock().getTime() - code.issuedAt > CODE_LIFE_MS) return refuse('invalid_code');
    if ((asText(args.redirect_uri) || undefined) !== code.redirectUri) {
      return refuse('bad_redirect_uri');
    }
    code.used = true;
    const workspace = workspaceOf(state, code.workspaceId);
    const organizationId = installingOrganization(workspace);
    if (organizationId === undefined) workspace.installed = true;
    else state.organizationInstalls.add(organizationId);
    state.feed.emit();
    return {
      ...tokenAnswer(code.workspaceId, code.scopes),
      ...identity(code.workspaceId),
      authed_user: { id: code.userId },
    };
  }

  function refresh(args: JsonObject): JsonObject {
    const refreshToken = refreshTokens.get(asText(args.refresh_token));
    if (!refreshToken || !isInstalled(state, workspaceOf(state, refreshToken.workspaceId))) {
      return refuse('invalid_refresh_token');
    }
    const now = state.clock().getTime();
    const { usedAt } = refreshToken;
    if (usedAt !== undefined && now - usedAt > refreshGraceMs) {
      return refuse('invalid_refresh_token');
    }
    refreshToken.usedAt ??= now;
    const { workspaceId, scopes } = refreshToken;
    return { ...tokenAnswer(workspaceId, scopes), ...identity(workspaceId) };
  }

  return {
    /**
     * A person presses Allow at the authorize URL, perhaps without some optional scopes. @returns where the browser is
     * sent, with `code` and `state`. Refuses `invalid_client_id`, `invalid_scope`, and `bad_redirect_uri`.
     */
    authorize(
      workspace: WorkspaceRecord,
      userId: string,
      authorizeUrl: string,
      without: string[] = [],
    ) {
      const { scopes, redirectUri, back } = readRequest(authorizeUrl);
      const allowed = new Set(scopesWithout(state.manifest, without));
      const code = `${workspace.id}.${state.ids.secret(SECRET_BYTES)}`;
      const issuedAt = state.clock().getTime();
      codes.set(code, {
        workspaceId: workspace.id,
        userId,
        scopes: scopes.filter((scope) => allowed.has(scope)),
        redirectUri,
        issuedAt,
        used: false,
      });
      back.searchParams.set('code', code);
      return back.toString();
    },
    /** A person presses Cancel. @returns where the browser is sent, with `error=access_denied` */
    deny(authorizeUrl: string) {
      const { back } = readRequest(authorizeUrl);
      back.searchParams.set('error', 'access_denied');
      return back.toString();
    },
    /** `oauth.v2.access` with the client's credentials as arguments. */
    access(args: JsonObject) {
      if (args.client_id !== state.app.clientId) refuse('invalid_client_id');
      if (args.client_secret !== state.app.clientSecret) refuse('bad_client_secret');
      return args.grant_type === 'refresh_token' ? refresh(args) : exchangeCode(args);
    },
  };
}
