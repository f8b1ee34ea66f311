import { emptyEntry, isEmpty, type StateValue } from '../block-kit/view-state.ts';
import type { JsonObject } from '../json.ts';
import type { OpenView } from '../state/model.ts';
import type { SlackState } from '../state/state.ts';

/** A view in payloads and Web API answers. Shape: Bolt's `ViewOutput`. */
export function viewOutput(state: SlackState, open: OpenView): JsonObject {
  const { view } = open;
  return {
    id: open.id,
    team_id: open.teamId,
    type: view.type,
    blocks: view.blocks,
    private_metadata: view.private_metadata ?? '',
    callback_id: view.callback_id ?? '',
    state: { values: valuesOutput(state, open) },
    hash: open.hash,
    title: view.title ?? { type: 'plain_text', text: 'View Title', emoji: true },
    notify_on_close: view.notify_on_close ?? false,
    close: view.close ?? null,
    submit: view.submit ?? null,
    app_id: state.app.id,
    app_installed_team_id: open.workspaceId,
  };
}

/** The values of the fields; empty ones are represented in one of Slack's ways. */
function valuesOutput(state: SlackState, open: OpenView): JsonObject {
  const entry = (blockId: string, actionId: string, value: StateValue) =>
    isEmpty(value) ? emptyEntry(value, state.emptyForm({ blockId, actionId })) : value;
  const blocks = Object.entries(open.values).flatMap(([blockId, actions]) => {
    const entries = Object.entries(actions).flatMap(([actionId, value]) => {
      const written = entry(blockId, actionId, value);
      return written ? [[actionId, structuredClone(written)] as const] : [];
    });
    return entries.length > 0 ? [[blockId, Object.fromEntries(entries)] as const] : [];
  });
  return Object.fromEntries(blocks);
}
