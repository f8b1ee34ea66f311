import type { ViewState } from '../block-kit/view-state.ts';
import type { JsonObject } from '../json.ts';
import type { Ids } from './ids.ts';

/** A stack contains at most this many modals (`push_limit_reached`). Source: Slack's documentation. */
export const MAX_STACK = 3;
const HASH_BYTES = 4;

/** A modal or home view as one person sees it. */
export interface OpenView {
  id: string;
  /** The workspace of the installation that opened it. */
  workspaceId: string;
  /** The person's own workspace, which differs in shared channels. */
  teamId: string;
  userId: string;
  rootId: string;
  previousId: string | undefined;
  hash: string;
  /** The view as the app sent it, with missing block and action IDs filled in. */
  view: JsonObject;
  values: ViewState;
  /** The conversation that the person was in when it opened. */
  channelId: string | undefined;
  /** Slack's own message in the modal, such as that the app couldn't be reached. */
  notice: string | undefined;
  /** The errors under inputs, by block_id. */
  errors: Record<string, string>;
}

/** A new hash, which changes with every update of a view. */
export function newHash(ids: Ids, now: Date): string {
  return `${Math.floor(now.getTime() / 1000)}.${ids.secret(HASH_BYTES)}`;
}

/** A home view belongs to one person and one installation. */
export function homeKey(workspaceId: string, userId: string): string {
  return `${workspaceId}:${userId}`;
}
