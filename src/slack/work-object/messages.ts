import type { EntityMetadata, KnownBlock } from '@slack/types';
import type { ChatPostMessageArguments } from '@slack/web-api';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { buildCardMessage } from '../card/card-blocks.ts';
import type { CardView } from '../card/card-view.ts';
import { pictureOf } from '../card/pictures.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import { type ActionArgs, stringOf, workspaceOf } from '../listener/replies.ts';
import { buildEntity } from './entity.ts';
import { isOfMetadata, metadataWarning, refusalOf, type WorkObjects } from './work-objects.ts';

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
  /** The same if Slack can't fetch its picture; undefined if it has none. */
  withoutPicture: EntityMetadata | undefined;
  /** Call it with Slack's code if it refuses both, and the message works without. */
  refused(code: string): Promise<void>;
  /** Call it if the message was posted and can't be changed to show the card in another way. */
  leftOut(error: unknown): void;
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
  const shown = workObjects.canonical(view);
  const build = (withPicture: boolean) =>
    buildEntity({ ...shown, withPicture }, { isLinked: false, ...shownAs });
  return {
    blocks,
    entity: build(true),
    withoutPicture: pictureOf(view.card) && build(false),
    refused: (code) => workObjects.refused(workspaceId, code),
    leftOut: (error) => workObjects.leftOut(workspaceId, error),
  };
}

type Posting = Pick<ChatPostMessageArguments, 'channel' | 'thread_ts'>;
type Posted = { channel?: string | undefined; ts?: string | undefined };

/**
 * Posts a message with a card, as a Work Object if Slack accepts it, otherwise as blocks.
 *
 * @throws Slack's error if it refuses the message without the Work Object, too
 */
export async function postWithCard(
  client: SlackClient,
  at: Posting,
  message: Partial<MessageWithCard> & { text: string },
): Promise<Posted> {
  const { text, blocks, workObject } = message;
  const call = { ...at, text, unfurl_links: false, unfurl_media: false };
  const withBlocks = (shown: KnownBlock[] | undefined) =>
    ({ ...call, ...(shown ? { blocks: shown } : {}) }) as ChatPostMessageArguments;
  if (!workObject) return client.chat.postMessage(withBlocks(blocks));
  try {
    const metadata = { entities: [workObject.entity] };
    const posted = await client.chat.postMessage({ ...withBlocks(workObject.blocks), metadata });
    const code = metadataWarning(posted);
    if (code !== undefined) await showInstead(client, posted, { text, blocks, workObject }, code);
    return posted;
  } catch (error) {
    const code = refusalOf(error);
    if (code === undefined) throw error;
    const simpler = simplerThan(workObject, code);
    const posted = await postWithCard(client, at, {
      text,
      ...(blocks ? { blocks } : {}),
      ...simpler,
    });
    if (!simpler) await workObject.refused(code);
    return posted;
  }
}

/** Shows the card in a message that Slack posted without it. Never rejects, because callers then post it again. */
async function showInstead(
  client: SlackClient,
  { channel = '', ts = '' }: Posted,
  message: { text: string; blocks: KnownBlock[] | undefined; workObject: WorkObjectPart },
  code: string,
): Promise<void> {
  const { text, blocks, workObject } = message;
  try {
    const simpler = simplerThan(workObject, code);
    if (!simpler) await workObject.refused(code);
    if (blocks) await updateWithCard(client, { channel, ts }, { text, blocks, ...simpler });
  } catch (error) {
    workObject.leftOut(error);
  }
}

/** Changes such a message. */
export async function updateWithCard(
  client: SlackClient,
  at: { channel: string; ts: string },
  { text, blocks, workObject }: MessageWithCard,
): Promise<void> {
  if (!workObject) {
    // An empty object removes a Work Object that was there before.
    await update(client, { ...at, text, blocks, metadata: {} });
    return;
  }
  const metadata = { entities: [workObject.entity] };
  const shown = workObject.blocks ? { blocks: workObject.blocks } : {};
  const code = await update(client, { ...at, text, ...shown, metadata }).then(
    metadataWarning,
    (error: unknown) => {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      return refusal;
    },
  );
  if (code === undefined) return;
  const simpler = simplerThan(workObject, code);
  await updateWithCard(client, at, { text, blocks, ...simpler });
  if (!simpler) await workObject.refused(code);
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

/** The Work Object without its picture, if Slack perhaps only couldn't fetch that; undefined: send blocks. */
function simplerThan(
  { withoutPicture, ...part }: WorkObjectPart,
  code: string,
): Pick<MessageWithCard, 'workObject'> | undefined {
  if (!withoutPicture || !isOfMetadata(code)) return undefined;
  return { workObject: { ...part, entity: withoutPicture, withoutPicture: undefined } };
}

/** Not `client.chat.update`, whose types don't know about entities. */
const update = (
  client: SlackClient,
  call: { channel: string; ts: string; text: string; blocks?: KnownBlock[]; metadata: object },
) => client.apiCall('chat.update', call);
