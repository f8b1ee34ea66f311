import { refuse } from '../refusal.ts';
import type { Pane } from './model.ts';
import type { SlackState } from './state.ts';

/** How long a trigger_id can be exchanged. Source: Slack's documentation of interactivity. */
const TRIGGER_LIFE_MS = 3000;
const TRIGGER_FORM = /^\d+\.\d+\.[0-9a-f]{32}$/;
const TRIGGER_TAIL_BYTES = 16;

export interface Trigger {
  workspaceId: string;
  userId: string;
  channelId: string | undefined;
  /** The details that it was issued for, if any. */
  pane: Pane | undefined;
  issuedAt: number;
  exchanged: boolean;
}

type IssuedTo = { state: SlackState; workspace: { id: string }; user: { id: string } };

export function issueTrigger(
  { state, workspace, user }: IssuedTo,
  channelId?: string,
  pane?: Pane,
): string {
  const now = state.clock().getTime();
  const id = `${now}.${state.triggers.size + 1}.${state.ids.secret(TRIGGER_TAIL_BYTES)}`;
  const about = { workspaceId: workspace.id, userId: user.id, channelId, pane };
  state.triggers.set(id, { ...about, issuedAt: now, exchanged: false });
  return id;
}

/**
 * Uses up a trigger_id. Refuses as Slack does: `invalid_arguments` for anything else, `invalid_trigger_id` for an
 * unknown one, `exchanged_trigger_id` the second time, `expired_trigger_id` after three seconds.
 */
export function exchangeTrigger(state: SlackState, workspaceId: string, id: unknown): Trigger {
  if (typeof id !== 'string' || !TRIGGER_FORM.test(id)) {
    return refuse('invalid_arguments', ['invalid `trigger_id` [json-pointer:/trigger_id]']);
  }
  const trigger = state.triggers.get(id);
  if (trigger?.workspaceId !== workspaceId) return refuse('invalid_trigger_id');
  if (trigger.exchanged) return refuse('exchanged_trigger_id');
  trigger.exchanged = true;
  if (state.clock().getTime() - trigger.issuedAt > TRIGGER_LIFE_MS) {
    return refuse('expired_trigger_id');
  }
  return trigger;
}
