import type { SlackState } from './state.ts';

/** How often and how long a response_url works. Source: Slack's documentation of interactivity. */
export const RESPONSE_URL_USES = 5;
export const RESPONSE_URL_LIFE_MS = 30 * 60 * 1000;
const RESPONSE_URL_BYTES = 12;

/** The message that `replace_original` and `delete_original` affect. */
export interface OriginalMessage {
  kind: 'message' | 'ephemeral';
  ts: string;
}

export interface ResponseUrl {
  path: string;
  workspaceId: string;
  userId: string;
  channelId: string;
  original: OriginalMessage | undefined;
  issuedAt: number;
  uses: number;
}

/** A new absolute response_url for a command (`commands`) or an action (`actions`). */
export function issueResponseUrl(
  state: SlackState,
  family: 'commands' | 'actions',
  about: Omit<ResponseUrl, 'path' | 'issuedAt' | 'uses'>,
): string {
  const path = `/${family}/${about.workspaceId}/${state.ids.secret(RESPONSE_URL_BYTES)}`;
  const issuedAt = state.clock().getTime();
  state.responseUrls.set(path, { ...about, path, issuedAt, uses: 0 });
  return state.origin + path;
}
