import type { EncryptionKey } from '../../config/keyring.ts';
import { createUrlSigner } from '../../files/url-signer.ts';
import { type WorkspaceId, workspaceIdOf } from '../../installations/workspace-id.ts';

/** Exactly one card of one workspace. */
type GalleryRef = { workspaceId: WorkspaceId; cardId: string };

/** Where the pages are served, below PUBLIC_URL. */
export const GALLERY_PATH = '/gallery/';

/** Slack keeps the details of a card, and so the address, for ten minutes. */
const LINK_LIFE_MS = 10 * 60_000;
const KEY_PURPOSE = 'design-request/gallery/v1';
const LINK = /^\/gallery\/([\w-]+)\.([\w-]+)$/;

export type GalleryLinks = ReturnType<typeof createGalleryLinks>;

/**
 * Signed, expiring addresses of the page with a card's images.
 *
 * @param options.publicUrl without a trailing slash
 */
export function createGalleryLinks(options: {
  keys: readonly EncryptionKey[];
  publicUrl: string;
  now: () => Date;
}) {
  const { publicUrl, now } = options;
  const signer = createUrlSigner(options.keys, KEY_PURPOSE);
  return {
    urlOf({ workspaceId, cardId }: GalleryRef): string {
      const expires = now().getTime() + LINK_LIFE_MS;
      const named = JSON.stringify([workspaceId, cardId, expires]);
      const payload = Buffer.from(named).toString('base64url');
      return `${publicUrl}${GALLERY_PATH}${payload}.${signer.sign(payload)}`;
    },

    /** @returns undefined if the path isn't exactly what `urlOf` made, or has expired */
    read(path: string): GalleryRef | undefined {
      const [, payload = '', mac = ''] = LINK.exec(path) ?? [];
      if (payload === '' || !signer.verify(payload, mac)) return undefined;
      const text = Buffer.from(payload, 'base64url').toString();
      const [workspace, cardId, expires] = JSON.parse(text) as [string, string, number];
      if (now().getTime() >= expires) return undefined;
      return { workspaceId: workspaceIdOf(workspace), cardId };
    },
  };
}
