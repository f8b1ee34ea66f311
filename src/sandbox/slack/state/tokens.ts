import type { Token } from './model.ts';
import type { SlackState } from './state.ts';

/** Life of a rotated token. Source: Slack's documentation of token rotation. */
export const TOKEN_LIFE_S = 12 * 60 * 60;
const TOKEN_BYTES = 12;
const MS_PER_SECOND = 1000;

/** A fresh bot token; it expires where the app has token rotation on. */
export function issueBotToken(state: SlackState, workspaceId: string, scopes: string[]): Token {
  const rotates = state.manifest.tokenRotation;
  const name = `xoxb-${workspaceId}-${state.ids.secret(TOKEN_BYTES)}`;
  const token: Token = {
    token: rotates ? `xoxe.${name}` : name,
    workspaceId,
    scopes,
    expiresAt: rotates ? state.clock().getTime() + TOKEN_LIFE_S * MS_PER_SECOND : undefined,
    revoked: false,
  };
  state.tokens.set(token.token, token);
  return token;
}

/** What the newest valid token of an installation may do. */
export function grantedScopes(state: SlackState, workspaceId: string): string[] {
  const tokens = [...state.tokens.values()].filter(
    (token) => token.workspaceId === workspaceId && !token.revoked,
  );
  return tokens.at(-1)?.scopes ?? [];
}

/** Ends every token of a workspace's installation. */
export function revokeTokens(state: SlackState, workspaceId: string): void {
  for (const token of state.tokens.values()) {
    if (token.workspaceId === workspaceId) token.revoked = true;
  }
}

/** Why a token is refused; undefined where it works. */
export function tokenRefusal(state: SlackState, token: Token | undefined): string | undefined {
  if (!token) return 'invalid_auth';
  if (!state.workspaces.get(token.workspaceId)?.installed) return 'account_inactive';
  if (token.revoked) return 'token_revoked';
  const expired = token.expiresAt !== undefined && state.clock().getTime() >= token.expiresAt;
  return expired ? 'token_expired' : undefined;
}
