import type { KnownBlock } from '@slack/types';
import type { ChatPostMessageArguments, ChatPostMessageResponse } from '@slack/web-api';
import { z } from 'zod';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { SlackClient } from '../client/slack-client.ts';
import { type ActionArgs, stringOf, workspaceOf } from '../surface/replies.ts';
import { button, buttonRow, contextIfAny } from '../text/blocks.ts';
import { BUTTON_VALUE_MAX } from '../text/limits.ts';
import { CARD } from '../words/card.ts';
import { buildCardMessage, sendCardMessage } from './card-blocks.ts';
import type { CardView } from './card-view.ts';
import { CARD_ACTIONS } from './menu.ts';
import { sendWorkObject, type WorkObjectPart, type WorkObjects } from './work-objects.ts';

/** A message that shows a card as blocks, and how it shows it as a Work Object instead. */
export type MessageWithCard = {
  text: string;
  blocks: KnownBlock[];
  workObject?: WorkObjectPart | undefined;
};

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

/** Updates a message with a card, in the same way. */
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
  workObjects: WorkObjects,
  { client, body, context }: ActionArgs,
  view: CardView,
): Promise<void> {
  const channel = stringOf(body.container.channel_id);
  const ts = stringOf(body.container.message_ts);
  if (!channel || !ts) return;
  const workspaceId = workspaceOf(context);
  const workObject = await workObjects.part({ workspaceId, view, blocks: undefined });
  const message = buildCardMessage(view);
  const text = body.message?.text ?? message.text;
  await updateWithCard(client, { channel, ts }, { ...message, text, workObject });
}

/** The button that posts a card in the channel, below a card that only one person sees. */
export const shareButton = (url: string, title: string): KnownBlock[] =>
  url.length > BUTTON_VALUE_MAX
    ? []
    : buttonRow([button(CARD_ACTIONS.share, CARD.share, { value: url, about: title })]);

const SHARED_BY = 'shared-by-';

/** Says below a shared card who shared it. The block's ID says so to the app. */
const sharedBy = (userId: string): KnownBlock[] =>
  contextIfAny(CARD.sharedBy(`<@${userId}>`)).map((block) => ({
    ...block,
    block_id: `${SHARED_BY}${userId}`,
  }));

const blocksSchema = z.array(z.object({ block_id: z.string().optional().catch(undefined) }));

/** Who shared the card in whose message a button was pressed; undefined if it isn't a shared card. */
export function sharerOf({ body }: Pick<ActionArgs, 'body'>): string | undefined {
  const blocks = blocksSchema.safeParse(body.message?.blocks).data ?? [];
  const id = blocks.find(({ block_id }) => block_id?.startsWith(SHARED_BY))?.block_id;
  return id?.slice(SHARED_BY.length);
}

/** That line, for a shared card that is drawn again; none in any other message. */
export function sharedByAgain(args: ActionArgs): KnownBlock[] {
  const by = sharerOf(args);
  return by === undefined ? [] : sharedBy(by);
}

/** Sends a shared card as a new message, or to be shown again in the same one. */
export async function sendSharedCard(
  workObjects: WorkObjects,
  { workspaceId, view, by }: { workspaceId: WorkspaceId; view: CardView; by: string },
  send: (message: MessageWithCard) => Promise<unknown>,
): Promise<void> {
  const below = sharedBy(by);
  const workObject = await workObjects.part({ workspaceId, view, blocks: below });
  await sendCardMessage(view, below, (message) => send({ ...message, workObject }));
}
