import type { KnownBlock } from '@slack/types';
import type {
  ChatPostMessageArguments,
  ChatPostMessageResponse,
  WebAPICallResult,
} from '@slack/web-api';
import type { WorkspaceSettings, WorkspaceSettingsStore } from '../../installations/settings.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import { outcomeOfCall, slackErrorCode } from '../client/errors.ts';
import type { SlackClient } from '../client/slack-client.ts';
import { pictureOf } from './card-files.ts';
import type { CardView } from './card-view.ts';
import { buildEntity } from './entity.ts';
import type { GalleryLinks } from './gallery.ts';

/** After this time, Work Objects are tried again. */
const TRY_AGAIN_AFTER_MS = 24 * 60 * 60_000;

export type WorkObjects = ReturnType<typeof createWorkObjects>;
type WorkObjectPart = NonNullable<Awaited<ReturnType<WorkObjects['part']>>>;

/**
 * Whether and how a workspace's cards are shown as Work Objects.
 *
 * @param deps.gallery only if the app has an address on the internet
 */
export function createWorkObjects(deps: {
  settings: Pick<WorkspaceSettingsStore, 'get' | 'workObjectsRefused' | 'workObjectsRefusedAt'>;
  gallery: GalleryLinks | undefined;
  now: () => Date;
  log: Log;
}) {
  const { settings, gallery, now, log } = deps;
  const showsGallery = ({ workObjects }: WorkspaceSettings) =>
    workObjects === 'gallery' && gallery !== undefined;

  /**
   * @param justRead the workspace's settings, if they were just read
   * @returns undefined if an admin hasn't turned them on, or Slack refused one in the last day
   */
  async function of(workspaceId: WorkspaceId, justRead?: WorkspaceSettings) {
    const set = justRead ?? (await settings.get(workspaceId));
    if (set.workObjects === 'off') return undefined;
    const refusedAt = await settings.workObjectsRefusedAt(workspaceId);
    const refusedAgo = now().getTime() - (refusedAt?.getTime() ?? Number.NEGATIVE_INFINITY);
    return refusedAgo < TRY_AGAIN_AFTER_MS ? undefined : { hasGallery: showsGallery(set) };
  }

  /** Remembers that Slack refused one. Never rejects. */
  async function refused(workspaceId: WorkspaceId, code: string) {
    log.warn(
      { workspace: workspaceId, code },
      'Slack refused a Work Object, so cards are shown as blocks for a day; are Work Object Previews turned on in the Slack app’s settings?',
    );
    await settings
      .workObjectsRefused(workspaceId, now())
      .catch((error) =>
        log.warn({ err: error }, 'could not store that Slack refused a Work Object'),
      );
  }

  return {
    of,
    refused,

    /**
     * How one of our messages shows a card as a Work Object.
     *
     * @param about.blocks what is shown above it; undefined leaves the blocks as they are, or shows the text
     * @returns undefined if the workspace doesn't want that
     */
    async part(about: {
      workspaceId: WorkspaceId;
      view: CardView;
      blocks: KnownBlock[] | undefined;
    }) {
      const { workspaceId, view, blocks } = about;
      const shownAs = await of(workspaceId);
      if (!shownAs) return undefined;
      return {
        blocks,
        entity: (withPicture: boolean) => buildEntity({ ...view, withPicture }, shownAs.hasGallery),
        hasPicture: pictureOf(view.card) !== undefined,
        refused: (code: string) => refused(workspaceId, code),
        /** Logs why a message that was posted without its card stays so. */
        leftOut(error: unknown) {
          log.warn(
            { workspace: workspaceId, code: slackErrorCode(error), err: error },
            'a message stays without its card: Slack left out its Work Object, and changing it failed',
          );
        },
      };
    },

    /** The page with a card's images; undefined if the workspace doesn't show it. */
    galleryUrl: async (ref: { workspaceId: WorkspaceId; cardId: string }) =>
      showsGallery(await settings.get(ref.workspaceId)) ? gallery?.urlOf(ref) : undefined,
  };
}

/**
 * Slack's codes for metadata that it doesn't accept, on any of the methods that take it. `invalid_arguments` points into
 * `/metadata`; a real app got it from `entity.presentDetails`.
 */
const METADATA_CODES = new Set([
  'error_processing_metadata',
  'invalid_metadata',
  'invalid_metadata_format',
  'invalid_metadata_schema',
  'metadata_too_large',
  'metadata_must_be_sent_from_app',
  'feature_not_enabled',
  'invalid_arguments',
]);

/**
 * Makes a call with a Work Object. If Slack refuses it, tries without the picture, which Slack may be unable to fetch,
 * and then makes another call, without a Work Object.
 *
 * @param input.instead makes that other call
 * @param input.refused called with Slack's code if Slack left out the Work Object with a warning, or if the other call
 *   worked, so that the Work Object was the reason
 * @throws what `instead` throws, and any error of the first calls that isn't a refusal
 */
export async function sendWorkObject(input: {
  send: (withPicture: boolean) => Promise<WebAPICallResult>;
  hasPicture: boolean;
  instead: () => Promise<unknown>;
  refused: (code: string) => Promise<void>;
}): Promise<void> {
  let refusal = await refusalOf(input.send(true));
  if (refusal && METADATA_CODES.has(refusal.code) && input.hasPicture) {
    refusal = await refusalOf(input.send(false));
  }
  if (!refusal) return;
  if (refusal.isWarning) await input.refused(refusal.code);
  await input.instead();
  if (!refusal.isWarning) await input.refused(refusal.code);
}

/** Slack's code if it refuses a call, or accepts it without the Work Object and warns of that. */
async function refusalOf(
  call: Promise<WebAPICallResult & { warning?: string }>,
): Promise<{ code: string; isWarning: boolean } | undefined> {
  try {
    const { warning: code = '' } = await call;
    return METADATA_CODES.has(code) ? { code, isWarning: true } : undefined;
  } catch (error) {
    // Any code may be because of the Work Object.
    const code = outcomeOfCall(error) === 'refused' ? slackErrorCode(error) : undefined;
    if (code === undefined) throw error;
    return { code, isWarning: false };
  }
}

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
