import type { WebAPICallResult } from '@slack/web-api';
import type { WorkspaceSettings, WorkspaceSettingsStore } from '../../installations/settings.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { CardLinks } from '../../service/card-links.ts';
import type { CardView } from '../card/card-view.ts';
import { outcomeOfCall, slackErrorCode } from '../client/errors.ts';
import type { GalleryLinks } from './gallery.ts';

/** After this time, Work Objects are tried again. */
const TRY_AGAIN_AFTER_MS = 24 * 60 * 60_000;

export type WorkObjects = ReturnType<typeof createWorkObjects>;

/**
 * Whether and how a workspace's cards are shown as Work Objects.
 *
 * @param deps.gallery only if the app has an address on the internet
 */
export function createWorkObjects(deps: {
  settings: Pick<WorkspaceSettingsStore, 'get' | 'workObjectsRefused' | 'workObjectsRefusedAt'>;
  gallery: GalleryLinks | undefined;
  cardLinks: Pick<CardLinks, 'cardIdOf' | 'urlOf'>;
  now: () => Date;
  log: Log;
}) {
  const { settings, gallery, cardLinks, now, log } = deps;
  const showsGallery = ({ workObjects }: WorkspaceSettings) =>
    workObjects === 'gallery' && gallery !== undefined;
  return {
    /**
     * @param justRead the workspace's settings, if they were just read
     * @returns undefined if an admin hasn't turned them on, or Slack refused one in the last day
     */
    async of(workspaceId: WorkspaceId, justRead?: WorkspaceSettings) {
      const set = justRead ?? (await settings.get(workspaceId));
      if (set.workObjects === 'off') return undefined;
      const refusedAt = await settings.workObjectsRefusedAt(workspaceId);
      const refusedAgo = now().getTime() - (refusedAt?.getTime() ?? Number.NEGATIVE_INFINITY);
      return refusedAgo < TRY_AGAIN_AFTER_MS ? undefined : { hasGallery: showsGallery(set) };
    },

    /** Remembers that Slack refused one. */
    async refused(workspaceId: WorkspaceId, code: string) {
      log.warn(
        { workspace: workspaceId, code },
        'Slack refused a Work Object, so cards are shown as blocks for a day; are Work Object Previews turned on in the Slack app’s settings?',
      );
      await settings.workObjectsRefused(workspaceId, now());
    },

    /** Logs why a message that was posted without its card stays so. */
    leftOut(workspaceId: WorkspaceId, error: unknown) {
      log.warn(
        { workspace: workspaceId, code: slackErrorCode(error), err: error },
        'a message stays without its card: Slack left out its Work Object, and changing it failed',
      );
    },

    /** A card with the URL and the ID that stay the same, however a link to it is written. */
    canonical(view: CardView): CardView {
      const cardId = cardLinks.cardIdOf(view.url);
      if (cardId === undefined) return view;
      const { card, url, postedAs = url } = view;
      return { ...view, postedAs, card: { ...card, id: cardId }, url: cardLinks.urlOf(cardId) };
    },

    /** The page with a card's images; undefined if the workspace doesn't show it. */
    galleryUrl: (set: WorkspaceSettings, ref: { workspaceId: WorkspaceId; cardId: string }) =>
      showsGallery(set) ? gallery?.urlOf(ref) : undefined,
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

/** Whether the card's picture may be the reason: Slack fetches it. */
export const isOfMetadata = (code: string): boolean => METADATA_CODES.has(code);

/**
 * Slack's code if it refused a call that carries a Work Object. Any code may mean that: it is the reason if the same
 * call works without it.
 */
export function refusalOf(error: unknown): string | undefined {
  return outcomeOfCall(error) === 'refused' ? slackErrorCode(error) : undefined;
}

/** The same for an answer: Slack posts some messages without their Work Object, and only warns about it. */
export function metadataWarning({ warning }: WebAPICallResult & { warning?: string }) {
  return warning !== undefined && isOfMetadata(warning) ? warning : undefined;
}
