import type { EntityMetadata, KnownBlock } from '@slack/types';
import type { ChatPostMessageArguments, ChatPostMessageResponse } from '@slack/web-api';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { buildCardMessage } from '../card/card-blocks.ts';
import { pictureOf } from '../card/card-files.ts';
import type { CardView } from '../card/card-view.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import { type ActionArgs, stringOf, workspaceOf } from '../listener/replies.ts';
import { buildEntity } from './entity.ts';
import { sendWorkObject } from './work-objects.ts';

/** A message that shows a card as blocks, and how it shows it as a Work Object instead. */
export type MessageWithCard = {
  text: string;
  blocks: KnownBlock[];
  workObject?: WorkObjectPart | undefined;
};

type WorkObjectPart = {
  /** What stays of the blocks; undefined leaves them as they are, or shows the text. */
  blocks: KnownBlock[] | undefined;
  entity(withPicture: boolean): EntityMetadata;
  hasPicture: boolean;
  refused(code: string): Promise<void>;
  leftOut(error: unknown): void;
};

/**
 * How one of our messages shows a card as a Work Object.
 *
 * @param blocks what is shown above it
 * @returns undefined if the workspace doesn't want that
 */
export async function workObjectPart(
  { workObjects }: Pick<SlackDeps, 'workObjects'>,
  about: { workspaceId: WorkspaceId; view: CardView; blocks: KnownBlock[] | undefined },
): Promise<WorkObjectPart | undefined> {
  const { workspaceId, view, blocks } = about;
  const shownAs = await workObjects.of(workspaceId);
  if (!shownAs) return undefined;
  const shown = workObjects.canonical(view);
  return {
    blocks,
    entity: (withPicture) =>
      buildEntity({ ...shown, withPicture }, { isLinked: false, ...shownAs }),
    hasPicture: pictureOf(view.card) !== undefined,
    refused: (code) => workObjects.refused(workspaceId, code),
    leftOut: (error) => workObjects.leftOut(workspaceId, error),
  };
}

const withEntity = ({ blocks, entity }: WorkObjectPart, withPicture: boolean) => ({
  ...(blocks ? { blocks } : {}),
  metadata: { entities: [entity(withPicture)] },
});

/** Not `client.chat.update`, whose types don't know about entities. */
const update = (
  client: SlackClient,
  call: { channel: string; ts: string; text: string; blocks?: KnownBlock[]; metadata: object },
) => client.apiCall('chat.update', call);

/**
 * Posts a message with a card, as a Work Object if Slack accepts it, otherwise as blocks.
 *
 * @throws Slack's error if it refuses the message without the Work Object, too
 */
export async function postWithCard(
  client: SlackClient,
  at: Pick<ChatPostMessageArguments, 'channel' | 'thread_ts'>,
  { text, blocks, workObject }: Partial<MessageWithCard> & { text: string },
): Promise<Pick<ChatPostMessageResponse, 'channel' | 'ts'>> {
  const call = { ...at, text, unfurl_links: false, unfurl_media: false };
  const post = (content: object) =>
    client.chat.postMessage({ ...call, ...content } as ChatPostMessageArguments);
  const asBlocks = blocks ? { blocks } : {};
  if (!workObject) return post(asBlocks);
  let posted: ChatPostMessageResponse | undefined;
  // Slack posts some messages without their Work Object, which then are changed.
  const send = async (content: { blocks?: KnownBlock[]; metadata?: object }) => {
    const { channel = '', ts = '' } = posted ?? {};
    if (posted) return update(client, { channel, ts, text, metadata: {}, ...content });
    posted = await post(content);
    return posted;
  };
  try {
    await sendWorkObject({
      ...workObject,
      send: (withPicture) => send(withEntity(workObject, withPicture)),
      instead: () => send(asBlocks),
    });
  } catch (error) {
    // Otherwise it would be posted again.
    if (!posted) throw error;
    workObject.leftOut(error);
  }
  return posted ?? {};
}

/** Changes such a message. */
export async function updateWithCard(
  client: SlackClient,
  at: { channel: string; ts: string },
  { text, blocks, workObject }: MessageWithCard,
): Promise<void> {
  // An empty object removes a Work Object that was there before.
  const asBlocks = () => update(client, { ...at, text, blocks, metadata: {} });
  if (!workObject) return void (await asBlocks());
  await sendWorkObject({
    ...workObject,
    send: (withPicture) => update(client, { ...at, text, ...withEntity(workObject, withPicture) }),
    instead: asBlocks,
  });
}

/** Refresh in a Work Object in one of our own messages; what stands above it stays. */
export async function refreshOwnMessage(
  deps: Pick<SlackDeps, 'workObjects'>,
  { client, body, context }: ActionArgs,
  view: CardView,
): Promise<void> {
  const channel = stringOf(body.container.channel_id);
  const ts = stringOf(body.container.message_ts);
  if (!channel || !ts) return;
  const workspaceId = workspaceOf(context);
  const workObject = await workObjectPart(deps, { workspaceId, view, blocks: undefined });
  const message = buildCardMessage(view);
  const text = body.message?.text ?? message.text;
  await updateWithCard(client, { channel, ts }, { ...message, text, workObject });
}
