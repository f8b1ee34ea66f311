import type { EncryptionKey } from '../config/keyring.ts';
import { type WorkspaceId, workspaceIdOf } from '../installations/workspace-id.ts';
import { createUrlSigner } from './url-signer.ts';

export type FileRef = { workspaceId: WorkspaceId; requestId: string; fileId: string };

export type FileLinks = ReturnType<typeof createFileLinks>;

export const FILES_PATH = '/files/';

/** Enough for a service that downloads late or again. Each attempt to send makes new URLs. */
export const LINK_LIFE_DAYS = 7;
const LINK_LIFE_MS = LINK_LIFE_DAYS * 24 * 60 * 60_000;

export function createFileLinks(options: {
  keys: readonly EncryptionKey[];
  publicUrl: string;
  now: () => Date;
}) {
  const purpose = 'design-request/file-links/v2';
  const signer = createUrlSigner({ ...options, purpose, lifeMs: LINK_LIFE_MS });
  return {
    /** @param name only makes it readable */
    urlOf({ workspaceId, requestId, fileId }: FileRef, name: string): string {
      const signed = signer.sign([workspaceId, requestId, fileId], `/${nameInUrl(name)}`);
      return `${options.publicUrl}${FILES_PATH}${signed}`;
    },

    /** Undefined if the path isn't exactly of a URL that `urlOf` made, or has expired. */
    read(path: string): FileRef | undefined {
      const signed = path.startsWith(FILES_PATH) ? path.slice(FILES_PATH.length) : '';
      const [workspace, requestId, fileId] = signer.read(signed) ?? [];
      if (workspace === undefined || requestId === undefined || fileId === undefined) {
        return undefined;
      }
      return { workspaceId: workspaceIdOf(workspace), requestId, fileId };
    },
  };
}

/** Longest name in a URL, in characters; what is cut is its beginning. */
const NAME_MAX = 80;

/**
 * Only ASCII letters, digits, and `._-`, which nothing on the way rewrites. The extension stays, since
 * a service may tell the type of file by it: `設計.pdf` becomes `file.pdf`.
 */
export function nameInUrl(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\w.-]+/g, '-')
    .slice(-NAME_MAX);
  return plain.replace(/^[.-]*(?=\.\w+$)/, 'file').replace(/^[.-]+/, '') || 'file';
}
