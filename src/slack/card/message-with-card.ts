import type { KnownBlock } from '@slack/types';
import type { ChatPostMessageArguments, ChatPostMessageResponse } from '@slack/web-api';
import type { SlackClient } from '../client/slack-client.ts';
import { type ActionArgs, stringOf, workspaceOf } from '../surface/replies.ts';
import { buildCardMessage } from './card-blocks.ts';
import type { CardView } from './card-view.ts';
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
