import type { Token } from './model.ts';
import {
  installingOrganization,
  isInstalled,
  type SlackState,
  type WorkspaceRecord,
  workspaceOf,
} from './state.ts';

/** Life of a rotated token. Source: Slack's documentation of token rotation. */
export const TOKEN_LIFE_S = 12 * 60 * 60;
const TOKEN_BYTES = 12;

/** After an exchange, at most this many tokens work. Source: Slack's documentation of token rotation. */
const MOST_ACTIVE_TOKENS = 2;

/** Whether the token works in the workspace, as its own or its organization's. */
export function covers(token: Token, workspace: WorkspaceRecord): boolean {
  return token.organizationId === undefined
    ? token.workspaceId === workspace.id
    : token.organizationId === installingOrganization(workspace);
}

/** A new bot token; it expires if the app has token rotation on. */
export function issueBotToken(state: SlackState, workspaceId: string, scopes: string[]): Token {
  const rotates = state.manifest.tokenRotation;
  const name = `xoxb-${workspaceId}-${state.ids.secret(TOKEN_BYTES)}`;
  const workspace = workspaceOf(state, workspaceId);
  const token: Token = {
    token: rotates ? `xoxe.${name}` : name,
    workspaceId,
    organizationId: installingOrganization(workspace),
    scopes,
    expiresAt: rotates ? state.clock().getTime() + TOKEN_LIFE_S * 1_000 : undefined,
    revoked: false,
  };
  state.tokens.set(token.token, token);
  if (rotates) {
    for (const old of activeTokens(state, workspace).slice(0, -MOST_ACTIVE_TOKENS)) {
      old.revoked = true;
    }
  }
  return token;
}

/** The tokens of a workspace's installation that Slack accepts now, the newest last. */
export function activeTokens(state: SlackState, workspace: WorkspaceRecord): Token[] {
  return [...state.tokens.values()].filter(
    (token) => covers(token, workspace) && !token.revoked && !hasExpired(state, token),
  );
}

/** The scopes of the newest valid token of an installation. */
export function grantedScopes(state: SlackState, workspaceId: string): string[] {
  const workspace = workspaceOf(state, workspaceId);
  const isValid = (token: Token) => covers(token, workspace) && !token.revoked;
  return [...state.tokens.values()].findLast(isValid)?.scopes ?? [];
}

/** Ends every token of the installation from which a workspace has the app. */
export function revokeTokens(state: SlackState, workspace: WorkspaceRecord): void {
  for (const token of state.tokens.values()) {
    if (covers(token, workspace)) token.revoked = true;
  }
}

/** Why a token is refused; undefined if it works. */
export function tokenRefusal(state: SlackState, token: Token | undefined): string | undefined {
  if (!token) return 'invalid_auth';
  if (!isInstalled(state, workspaceOf(state, token.workspaceId))) return 'account_inactive';
  if (token.revoked) return 'token_revoked';
  return hasExpired(state, token) ? 'token_expired' : undefined;
}

function hasExpired(state: SlackState, { expiresAt }: Token): boolean {
  return expiresAt !== undefined && state.clock().getTime() >= expiresAt;
}
