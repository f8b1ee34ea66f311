import type { EntityMetadata, KnownBlock } from '@slack/types';
import type { ChatPostMessageArguments, ChatUpdateArguments } from '@slack/web-api';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { CardView } from '../card/card-view.ts';
import type { SlackClient } from '../client/slack-client.ts';
import { buildEntity } from './entity.ts';
import { metadataRefusal, metadataWarning, type WorkObjects } from './work-objects.ts';

/** A message that shows a card as blocks, and how it shows it as a Work Object instead. */
export type MessageWithCard = {
  text: string;
  blocks: KnownBlock[];
  workObject?: WorkObjectPart | undefined;
};

export type WorkObjectPart = {
  /** What stays of the blocks; undefined leaves them as they are, or shows the text. */
  blocks: KnownBlock[] | undefined;
  entity: EntityMetadata;
  /** Call it with Slack's code if it refuses. */
  refused(code: string): Promise<void>;
};

/**
 * How one of our messages shows a card as a Work Object.
 *
 * @param blocks what is shown above it
 * @returns undefined if the workspace doesn't want that
 */
export async function workObjectPart(
  { workObjects }: { workObjects: WorkObjects },
  about: { workspaceId: WorkspaceId; view: CardView; blocks: KnownBlock[] | undefined },
): Promise<WorkObjectPart | undefined> {
  const { workspaceId, view, blocks } = about;
  const shownAs = await workObjects.of(workspaceId);
  if (!shownAs) return undefined;
  return {
    blocks,
    entity: buildEntity(workObjects.canonical(view), { isLinked: false, ...shownAs }),
    refused: (code) => workObjects.refused(workspaceId, code),
  };
}

type Posting = Pick<ChatPostMessageArguments, 'channel' | 'thread_ts'>;

/** Posts a message with a card, as a Work Object if Slack accepts it, otherwise as blocks. */
export async function postWithCard(
  client: SlackClient,
  at: Posting,
  { text, blocks, workObject }: Partial<MessageWithCard> & { text: string },
): Promise<{ channel?: string | undefined; ts?: string | undefined }> {
  const call = { ...at, text, unfurl_links: false, unfurl_media: false };
  const asBlocks = { ...call, ...(blocks ? { blocks } : {}) } as ChatPostMessageArguments;
  if (!workObject) return client.chat.postMessage(asBlocks);
  const { entity, refused } = workObject;
  const metadata = { entities: [entity] };
  try {
    const posted = await client.chat.postMessage({
      ...call,
      ...(workObject.blocks ? { blocks: workObject.blocks } : {}),
      metadata,
    } as ChatPostMessageArguments);
    const code = metadataWarning(posted);
    if (code !== undefined) {
      await refused(code);
      // It stands without its card.
      const { channel = '', ts = '' } = posted;
      if (blocks) await client.chat.update({ channel, ts, text, blocks });
    }
    return posted;
  } catch (error) {
    const code = metadataRefusal(error);
    if (code === undefined) throw error;
    await refused(code);
    return client.chat.postMessage(asBlocks);
  }
}

/** Changes such a message. */
export async function updateWithCard(
  client: SlackClient,
  at: { channel: string; ts: string },
  { text, blocks, workObject }: MessageWithCard,
): Promise<void> {
  // An empty object removes a Work Object that was there before.
  const asBlocks = () => update(client, { ...at, text, blocks, metadata: {} });
  if (!workObject) {
    await asBlocks();
    return;
  }
  const metadata = { entities: [workObject.entity] };
  try {
    const code = metadataWarning(
      await update(client, {
        ...at,
        text,
        ...(workObject.blocks ? { blocks: workObject.blocks } : {}),
        metadata,
      }),
    );
    if (code === undefined) return;
    await workObject.refused(code);
  } catch (error) {
    const code = metadataRefusal(error);
    if (code === undefined) throw error;
    await workObject.refused(code);
  }
  await asBlocks();
}

/** The types of `chat.update` don't know about entities. */
const update = (
  client: SlackClient,
  call: { channel: string; ts: string; text: string; blocks?: KnownBlock[]; metadata: object },
) => client.chat.update(call as unknown as ChatUpdateArguments);
