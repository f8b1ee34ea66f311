import type { ServerResponse } from 'node:http';
import type { EncryptionKey } from '../../config/keyring.ts';
import { createUrlSigner } from '../../files/url-signer.ts';
import type { WorkspaceSettingsStore } from '../../installations/settings.ts';
import { type WorkspaceId, workspaceIdOf } from '../../installations/workspace-id.ts';
import { type Html, html, sendPage } from '../../ops/html-page.ts';
import { type Routes, send, sendLater } from '../../ops/http-server.ts';
import type { Log } from '../../ops/logging.ts';
import { isPublicHost } from '../../public-host.ts';
import type { CardReader } from '../../service/cache/card-reader.ts';
import type { Card } from '../../service/operations/card.ts';
import { GALLERY } from '../words/work-object.ts';
import { imageUrlOf } from './card-files.ts';
import { titleOf } from './card-text.ts';

type GalleryRef = { workspaceId: WorkspaceId; cardId: string };

const GALLERY_PATH = '/gallery/';

/** Slack keeps the details of a card, and so the address, for ten minutes. */
const LINK_LIFE_MS = 10 * 60_000;

export type GalleryLinks = ReturnType<typeof createGalleryLinks>;

/** Signed, expiring addresses of the page with a card's images. */
export function createGalleryLinks(options: {
  keys: readonly EncryptionKey[];
  /** Without a trailing slash. */
  publicUrl: string;
  now: () => Date;
}) {
  const purpose = 'design-request/gallery/v1';
  const signer = createUrlSigner({ ...options, purpose, lifeMs: LINK_LIFE_MS });
  return {
    urlOf: ({ workspaceId, cardId }: GalleryRef): string =>
      `${options.publicUrl}${GALLERY_PATH}${signer.sign([workspaceId, cardId])}`,

    /** @returns undefined if the path isn't exactly what `urlOf` made, or has expired */
    read(path: string): GalleryRef | undefined {
      const signed = path.startsWith(GALLERY_PATH) ? path.slice(GALLERY_PATH.length) : '';
      const [workspace, cardId] = signer.read(signed) ?? [];
      if (workspace === undefined || cardId === undefined) return undefined;
      return { workspaceId: workspaceIdOf(workspace), cardId };
    },
  };
}

/** Whatever isn't a valid link to a card that its workspace can read gets the same 404; what may work later gets 503. */
export function galleryRoutes(deps: {
  links: GalleryLinks;
  cards: Pick<CardReader, 'read'>;
  settings: Pick<WorkspaceSettingsStore, 'get'>;
  hasApp: (workspaceId: WorkspaceId) => Promise<boolean>;
  serviceOrigin: string;
  log: Log;
}): Routes {
  const { links, cards, settings, hasApp, serviceOrigin, log } = deps;
  return {
    async [`GET ${GALLERY_PATH}*`](request, response) {
      const ref = links.read((request.url ?? '').split('?')[0] ?? '');
      const isOpen =
        ref &&
        (await hasApp(ref.workspaceId)) &&
        (await settings.get(ref.workspaceId)).workObjects === 'gallery';
      if (!isOpen) return send(response, 404, { error: 'not_found' });
      try {
        const { workspaceId, cardId } = ref;
        // The pane that links to it has just read the card.
        const reading = await cards.read(workspaceId, cardId, { class: 'person' });
        if ('card' in reading) return sendGallery(response, reading.card, serviceOrigin);
        return send(response, 404, { error: 'not_found' });
      } catch (error) {
        const about = { err: error, workspace: ref.workspaceId };
        log.info(about, 'could not read a card for its images');
        return sendLater(response);
      }
    },
  };
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1d1c1d; --soft: #5c5b5e; --paper: #fff; --line: #dddcdf; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8ea; --soft: #b0b0b5; --paper: #1a1d21; --line: #44474d; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
h1 { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: 1rem; margin: 0; padding: 0; list-style: none; }
figure { margin: 0; }
img { display: block; inline-size: 100%; block-size: auto; border: 1px solid var(--line); border-radius: .5rem; }
figcaption { color: var(--soft); overflow-wrap: anywhere; }
a { color: inherit; }
a:focus-visible { outline: 3px solid var(--soft); outline-offset: 2px; }
`;

/** All three are required (docs.slack.dev/changelog/2026/11/06/work-objects-embeds-frame-ancestors). */
const FRAME_ANCESTORS = 'https://*.slack.com https://*.slack-gov.com https://*.slack-mcps.com';

/** Origins that a content security policy can name: `;` in a host would begin another directive. */
const POLICY_SOURCE = /^https?:\/\/[\w.-]+(?::\d+)?$/;

/**
 * Sends the page with a card's images, the newest first, for Slack's frame: without scripts and cookies. A card must not
 * make its reader's browser ask for anything in the reader's own network, except at `serviceOrigin`, which the operator
 * named.
 */
export function sendGallery(response: ServerResponse, card: Card, serviceOrigin: string): void {
  const isShown = (address: string) => {
    const { origin, protocol, hostname } = new URL(address);
    const isPublic = protocol === 'https:' && isPublicHost(hostname);
    return POLICY_SOURCE.test(origin) && (isPublic || origin === serviceOrigin);
  };
  const title = GALLERY.title(titleOf(card));
  const images = card.files.toReversed().flatMap((file) => {
    const small = imageUrlOf(file);
    if (small === undefined || !isShown(small)) return [];
    const { full } = file.urls;
    return [{ name: file.name, small, full: full && isShown(full) ? full : small }];
  });
  const body = html`<main aria-label="${title}">
<h1>${title}</h1>
${images.length > 0 ? html`<ul>${images.map(pictureOf)}</ul>` : html`<p>${GALLERY.none}</p>`}
</main>`;
  const sources = [...new Set(images.map(({ small }) => new URL(small).origin))].join(' ');
  const policy = `img-src ${sources || "'none'"}; form-action 'none'; frame-ancestors ${FRAME_ANCESTORS}`;
  sendPage(response, { status: 200, title, style: STYLE, body, policy });
}

const pictureOf = (image: { name: string; small: string; full: string }): Html => html`<li>
<figure>
<a href="${image.full}" target="_blank" rel="noreferrer noopener"><img src="${image.small}" alt="${image.name}" loading="lazy"></a>
<figcaption>${image.name}</figcaption>
</figure>
</li>`;
