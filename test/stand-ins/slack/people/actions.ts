import type { StateValue } from '../block-kit/view-state.ts';
import { asText, type JsonObject } from '../json.ts';
import { issueResponseUrl, type OriginalMessage } from '../response-url-posts.ts';
import { isIn, messageOutput, nameInPayloads } from '../state/conversations.ts';
import type { Ephemeral, Message, OpenView, Pane, ShownEntity } from '../state/model.ts';
import { channelOf, type SlackState, type WorkspaceRecord } from '../state/state.ts';
import { issueTrigger } from '../state/triggers.ts';
import { viewOutput } from '../views/output.ts';
import { type Actor, interact, told } from './actor.ts';
import { entityContainer, subjectIn } from './details.ts';

export type Container =
  | { kind: 'view'; open: OpenView }
  | { kind: 'message'; message: Message }
  | { kind: 'attachment'; message: Message; attachment: JsonObject }
  | { kind: 'ephemeral'; ephemeral: Ephemeral }
  | { kind: 'entity'; message: Message; shown: ShownEntity }
  | { kind: 'pane'; pane: Pane };

function channelFields(actor: Actor, channelId: string, original: OriginalMessage): JsonObject {
  const channel = channelOf(actor.state, channelId);
  return {
    channel: { id: channelId, name: nameInPayloads(channel) },
    response_url: issueResponseUrl(actor, 'actions', channelId, original),
    state: { values: {} },
  };
}

// Unfurls carry `app_unfurl` and no `message`; ephemeral messages carry none either.
function containerFields(actor: Actor, container: Container): JsonObject {
  const { state } = actor;
  if (container.kind === 'view') {
    const { open } = container;
    return { container: { type: 'view', view_id: open.id }, view: viewOutput(state, open) };
  }
  if (container.kind === 'ephemeral') {
    const { ts, channelId, threadTs } = container.ephemeral;
    const place = { message_ts: ts, channel_id: channelId, is_ephemeral: true };
    return {
      container: { type: 'message', ...place, ...(threadTs ? { thread_ts: threadTs } : {}) },
      ...channelFields(actor, channelId, { kind: 'ephemeral', ts }),
    };
  }
  if (container.kind === 'pane') {
    const { pane } = container;
    const channelId = pane.place?.channelId;
    const channel = channelId && channelOf(state, channelId);
    return {
      container: entityContainer('entity_detail', pane),
      ...(channel ? { channel: { id: channelId, name: nameInPayloads(channel) } } : {}),
    };
  }
  if (container.kind === 'entity') {
    const { message, shown } = container;
    const { channelId, ts, threadTs } = message;
    const { response_url: _none, ...shared } = channelFields(actor, channelId, {
      kind: 'message',
      ts,
    });
    const subject = subjectIn(shown, { channelId, ts, threadTs });
    const own = shown.appUnfurlUrl === undefined ? { message: messageOutput(state, message) } : {};
    return { container: entityContainer('message_attachment', subject), ...shared, ...own };
  }
  const { message } = container;
  const place = { message_ts: message.ts, channel_id: message.channelId, is_ephemeral: false };
  const thread = message.threadTs ? { thread_ts: message.threadTs } : {};
  const shared = channelFields(actor, message.channelId, { kind: 'message', ts: message.ts });
  if (container.kind === 'message') {
    return {
      container: { type: 'message', ...place, ...thread },
      ...shared,
      message: messageOutput(state, message),
    };
  }
  const { attachment } = container;
  const { app_unfurl_url, id } = attachment;
  const unfurled = attachment.is_app_unfurl === true;
  return {
    container: {
      type: 'message_attachment',
      ...place,
      ...thread,
      attachment_id: id,
      is_app_unfurl: unfurled,
      ...(unfurled ? { app_unfurl_url } : {}),
    },
    ...shared,
    ...(unfurled ? { app_unfurl: attachment } : { message: messageOutput(state, message) }),
  };
}

/** The part of an action besides its IDs: the new value, or a button's text and value. */
export function actionOf(
  { ids }: SlackState,
  { block, element }: { block: JsonObject; element: JsonObject },
  held: StateValue | JsonObject,
): JsonObject {
  const { text, value, style, url } = element;
  const ofButton = element.type === 'button' ? { text, value, style, url } : {};
  const chosen = Object.fromEntries(Object.entries(held).filter(([name]) => name !== 'type'));
  return {
    type: element.type,
    action_id: element.action_id,
    block_id: block.block_id,
    ...ofButton,
    ...chosen,
    action_ts: ids.ts(),
  };
}

export async function sendAction(actor: Actor, container: Container, action: JsonObject) {
  const pane = container.kind === 'pane' ? container.pane : undefined;
  const delivery = await interact(actor, 'block_actions', {
    ...containerFields(actor, container),
    trigger_id: issueTrigger(actor, channelIdOf(container), pane),
    actions: [action],
  });
  return told(delivery);
}

function channelIdOf(container: Container): string | undefined {
  if (container.kind === 'view') return container.open.channelId;
  if (container.kind === 'pane') return container.pane.place?.channelId;
  return container.kind === 'ephemeral'
    ? container.ephemeral.channelId
    : container.message.channelId;
}

/** The installation that posted the message: in shared channels perhaps not the person's. */
export function installationBehind(
  state: SlackState,
  message: Message,
  attachment: JsonObject | undefined,
  fallback: WorkspaceRecord,
): WorkspaceRecord {
  const botId = asText(attachment?.bot_id) || message.botId;
  const channel = channelOf(state, message.channelId);
  const owner = [...state.workspaces.values()].find(
    (one) => one.botId === botId && isIn(channel, one.id),
  );
  return owner ?? fallback;
}
