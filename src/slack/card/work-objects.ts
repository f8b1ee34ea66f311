import type { KnownBlock } from '@slack/types';
import type { WebAPICallResult } from '@slack/web-api';
import type { WorkspaceSettings, WorkspaceSettingsStore } from '../../installations/settings.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { CardLinks } from '../../references.ts';
import { outcomeOfCall, slackErrorCode } from '../client/errors.ts';
import { pictureOf } from './card-files.ts';
import type { CardView } from './card-view.ts';
import { buildEntity } from './entity.ts';
import type { GalleryLinks } from './gallery.ts';

/** After this time, Work Objects are tried again. */
const TRY_AGAIN_AFTER_MS = 24 * 60 * 60_000;

export type WorkObjects = ReturnType<typeof createWorkObjects>;
export type WorkObjectPart = NonNullable<Awaited<ReturnType<WorkObjects['part']>>>;

/**
 * Whether and how a workspace's cards are shown as Work Objects.
 *
 * @param deps.gallery only if the app has an address on the internet
 */
export function createWorkObjects(deps: {
  settings: Pick<WorkspaceSettingsStore, 'get' | 'workObjectsRefused' | 'workObjectsRefusedAt'>;
  gallery: GalleryLinks | undefined;
  cards: Pick<CardLinks, 'cardIdOf' | 'urlOf'>;
  now: () => Date;
  log: Log;
}) {
  const { settings, gallery, cards, now, log } = deps;
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

  /** A card with the URL and the ID that stay the same, however a link to it is written. */
  function canonical(view: CardView): CardView {
    const cardId = cards.cardIdOf(view.url);
    if (cardId === undefined) return view;
    const { card, url, postedAs = url } = view;
    return { ...view, postedAs, card: { ...card, id: cardId }, url: cards.urlOf(cardId) };
  }

  return {
    of,
    refused,
    canonical,

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
      const shown = canonical(view);
      return {
        blocks,
        entity: (withPicture: boolean) =>
          buildEntity({ ...shown, withPicture }, { isLinked: false, ...shownAs }),
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
