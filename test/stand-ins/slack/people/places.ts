import type { StateValue } from '../block-kit/view-state.ts';
import { asObject, asText, type JsonObject, objectsOf } from '../json.ts';
import { issueResponseUrl, type OriginalMessage } from '../response-url-posts.ts';
import { messageOutput, nameInPayloads } from '../state/conversations.ts';
import type { Ephemeral, Message, OpenView, Pane, ShownEntity } from '../state/model.ts';
import { channelOf, type SlackState, type WorkspaceRecord, workspaceOf } from '../state/state.ts';
import { issueTrigger } from '../state/triggers.ts';
import { viewOutput } from '../views/output.ts';
import { type Actor, interact, told } from './actor.ts';
import { entityContainer, ownerOf, subjectIn } from './details.ts';

/** Where elements are that a person can use. */
export interface Place {
  blocks: unknown;
  /** The workspace whose installation is told: in shared channels perhaps not the person's. */
  workspace: WorkspaceRecord;
  channelId: string | undefined;
  pane?: Pane;
  /** What an action's payload says of the place. */
  payload(actor: Actor): JsonObject;
}

const channelIn = (state: SlackState, channelId: string): JsonObject => ({
  channel: { id: channelId, name: nameInPayloads(channelOf(state, channelId)) },
});

const conversationIn = (actor: Actor, channelId: string, original: OriginalMessage) => ({
  ...channelIn(actor.state, channelId),
  response_url: issueResponseUrl(actor, 'actions', channelId, original),
  state: { values: {} },
});

const inThread = (threadTs: string | undefined) => (threadTs ? { thread_ts: threadTs } : {});

export const viewPlace = ({ state }: Actor, open: OpenView): Place => ({
  blocks: open.view.blocks,
  workspace: workspaceOf(state, open.workspaceId),
  channelId: open.channelId,
  payload: () => ({
    container: { type: 'view', view_id: open.id },
    view: viewOutput(state, open),
  }),
});

export function ephemeralPlace({ state }: Actor, ephemeral: Ephemeral): Place {
  const { ts, channelId, threadTs, workspaceId, blocks } = ephemeral;
  const at = { message_ts: ts, channel_id: channelId, is_ephemeral: true, ...inThread(threadTs) };
  return {
    blocks,
    workspace: workspaceOf(state, workspaceId),
    channelId,
    payload: (actor) => ({
      container: { type: 'message', ...at },
      ...conversationIn(actor, channelId, { kind: 'ephemeral', ts }),
    }),
  };
}

/** The message's own blocks, and the previews and Work Objects under it; or one of the previews. */
export function placesIn(actor: Actor, message: Message, only?: JsonObject): Place[] {
  const { ts, channelId, threadTs, botId = '' } = message;
  const at = { message_ts: ts, channel_id: channelId, is_ephemeral: false, ...inThread(threadTs) };
  const original = { kind: 'message', ts } as const;
  const previews = message.attachments
    .filter(({ id }) => only === undefined || id === only.id)
    .map((attachment): Place => {
      const { app_unfurl_url, is_app_unfurl, bot_id, blocks } = attachment;
      return {
        blocks,
        workspace: ownerOf(actor, message, asText(bot_id)),
        channelId,
        payload: (onBehalf) => ({
          container: {
            type: 'message_attachment',
            ...at,
            is_app_unfurl,
            app_unfurl_url,
          },
          ...conversationIn(onBehalf, channelId, original),
        }),
      };
    });
  if (only) return previews;
  const own: Place = {
    blocks: message.blocks,
    workspace: ownerOf(actor, message, botId),
    channelId,
    payload: (onBehalf) => ({
      container: { type: 'message', ...at },
      ...conversationIn(onBehalf, channelId, original),
      message: messageOutput(actor.state, message),
    }),
  };
  const entities = message.entities.map((shown) => entityPlace(actor, message, shown));
  return [own, ...previews, ...entities];
}

export function entityPlace(actor: Actor, message: Message, shown: ShownEntity): Place {
  const { state } = actor;
  const { channelId } = message;
  return {
    blocks: actionsOf(shown.entity),
    workspace: ownerOf(actor, message, shown.botId),
    channelId,
    payload: () => ({
      container: entityContainer('message_attachment', subjectIn(shown, message)),
      ...channelIn(state, channelId),
      state: { values: {} },
      ...(shown.appUnfurlUrl === undefined ? { message: messageOutput(state, message) } : {}),
    }),
  };
}

export function panePlace({ state }: Actor, pane: Pane): Place {
  const { workspaceId, place, error, entity = {} } = pane;
  return {
    blocks: error ? buttonRow(error.actions) : actionsOf(entity),
    workspace: workspaceOf(state, workspaceId),
    channelId: place?.channelId,
    pane,
    payload: () => ({
      container: entityContainer('entity_detail', pane),
      ...(place ? channelIn(state, place.channelId) : {}),
    }),
  };
}

function actionsOf(entity: JsonObject): JsonObject[] {
  const { primary_actions, overflow_actions } = asObject(asObject(entity.entity_payload).actions);
  return [...buttonRow(primary_actions), ...buttonRow(overflow_actions)];
}

const buttonRow = (actions: unknown): JsonObject[] => [
  {
    type: 'actions',
    block_id: 'actions',
    elements: objectsOf(actions).map((action) => ({
      ...action,
      type: 'button',
      text: { type: 'plain_text', text: action.text },
    })),
  },
];

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

export async function sendAction(actor: Actor, place: Place, action: JsonObject) {
  const onBehalf = { ...actor, workspace: place.workspace };
  const delivery = await interact(onBehalf, 'block_actions', {
    ...place.payload(onBehalf),
    trigger_id: issueTrigger(onBehalf, place.channelId, place.pane),
    actions: [action],
  });
  return told(delivery);
}
