import type { ViewState } from '../block-kit/view-state.ts';
import type { JsonObject } from '../json.ts';
import type { Ids } from './ids.ts';

/** A stack holds at most this many modals (`push_limit_reached`). Source: Slack's documentation. */
export const MAX_STACK = 3;
const HASH_BYTES = 4;

/** A modal or home view as one person has it before them. */
export interface OpenView {
  id: string;
  /** The workspace of the installation that opened it. */
  workspaceId: string;
  /** The person's own workspace, another one in shared channels. */
  teamId: string;
  userId: string;
  rootId: string;
  previousId: string | undefined;
  hash: string;
  /** The view as the app sent it, missing block and action ids filled in. */
  view: JsonObject;
  values: ViewState;
  /** The conversation that the person was in when it opened. */
  channelId: string | undefined;
  /** What Slack itself says in the modal, such as that the app could not be reached. */
  notice: string | undefined;
  /** What stands under inputs, by block_id. */
  errors: Record<string, string>;
}

/** A fresh hash, as it changes with every update of a view. */
export function newHash(ids: Ids, now: Date): string {
  return `${Math.floor(now.getTime() / 1000)}.${ids.secret(HASH_BYTES)}`;
}

/** A home view belongs to one person and one installation. */
export function homeKey(workspaceId: string, userId: string): string {
  return `${workspaceId}:${userId}`;
}
