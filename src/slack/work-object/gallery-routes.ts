import type { WorkspaceSettingsStore } from '../../installations/settings.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { type Routes, send } from '../../ops/http-server.ts';
import type { Log } from '../../ops/logging.ts';
import type { CardReader } from '../../service/cache/card-reader.ts';
import { GALLERY_PATH, type GalleryLinks } from './gallery-links.ts';
import { sendGallery } from './gallery-page.ts';

/**
 * `GET /gallery/…`: the images of a card. Everything that isn't a valid link to a card that its workspace can read gets
 * the same 404; what may work later gets 503.
 */
export function galleryRoutes(deps: {
  links: GalleryLinks;
  cards: Pick<CardReader, 'read'>;
  settings: Pick<WorkspaceSettingsStore, 'get'>;
  /** Whether a workspace has the app. */
  has: (workspaceId: WorkspaceId) => Promise<boolean>;
  /** Of the design service. */
  serviceOrigin: string;
  log: Log;
}): Routes {
  const { links, cards, settings, has, serviceOrigin, log } = deps;
  return {
    async [`GET ${GALLERY_PATH}*`](request, response) {
      const ref = links.read((request.url ?? '').split('?')[0] ?? '');
      const isOpen =
        ref &&
        (await has(ref.workspaceId)) &&
        (await settings.get(ref.workspaceId)).workObjects === 'gallery';
      if (!isOpen) return send(response, 404, { error: 'not_found' });
      try {
        const { workspaceId, cardId } = ref;
        // The pane that links to it has just read the card.
        const reading = await cards.read(workspaceId, cardId, { class: 'person' });
        if ('card' in reading) return sendGallery(response, reading.card, serviceOrigin);
        return send(response, 404, { error: 'not_found' });
      } catch (error) {
        log.info(
          { err: error, workspace: ref.workspaceId },
          'could not read a card for its images',
        );
        response.setHeader('retry-after', RETRY_AFTER_SECONDS);
        return send(response, 503, { error: 'try_again_later' });
      }
    },
  };
}

const RETRY_AFTER_SECONDS = 15;
