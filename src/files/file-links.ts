import type { EncryptionKey } from '../config/keyring.ts';
import { type WorkspaceId, workspaceIdOf } from '../installations/workspace-id.ts';
import { createUrlSigner } from './url-signer.ts';

/** Exactly one file of one request of one workspace. */
export type FileRef = { workspaceId: WorkspaceId; requestId: string; fileId: string };

export type FileLinks = ReturnType<typeof createFileLinks>;

/** Where files are served, below PUBLIC_URL. */
export const FILES_PATH = '/files/';

/**
 * How long a URL works: long enough for a service that downloads late, or again after a failure. Every attempt to
 * send a request makes new URLs.
 */
export const LINK_LIFE_DAYS = 7;
const LINK_LIFE_MS = LINK_LIFE_DAYS * 24 * 60 * 60_000;
const MS_PER_SECOND = 1_000;

/** Separates these keys from every other use of ENCRYPTION_KEYS. */
const KEY_PURPOSE = 'design-request/file-links/v1';

/**
 * Signed, expiring URLs of files: whoever has one can download that file, and nothing else.
 *
 * @param options.keys at least one: the first signs, every one verifies, so keys can be rotated
 * @param options.publicUrl without a trailing slash
 */
export function createFileLinks(options: {
  keys: readonly EncryptionKey[];
  publicUrl: string;
  now: () => Date;
}) {
  const { publicUrl, now } = options;
  const signer = createUrlSigner(options.keys, KEY_PURPOSE);

  return {
    /** @param name only makes it readable */
    urlOf({ workspaceId, requestId, fileId }: FileRef, name: string): string {
      const expires = Math.ceil((now().getTime() + LINK_LIFE_MS) / MS_PER_SECOND);
      const named = JSON.stringify([workspaceId, requestId, fileId, expires]);
      const payload = Buffer.from(named).toString('base64url');
      const shown = nameInUrl(name);
      const mac = signer.sign(`${payload}/${shown}`);
      return `${publicUrl}${FILES_PATH}${payload}.${mac}/${shown}`;
    },

    /** The file that the path of a URL names; undefined if it isn't exactly what `urlOf` made, or has expired. */
    read(path: string): FileRef | undefined {
      const found = LINK.exec(path);
      if (!found) return undefined;
      const [, payload = '', mac = '', name = ''] = found;
      const isSigned = signer.verify(`${payload}/${name}`, mac);
      return isSigned ? readPayload(payload, now()) : undefined;
    },
  };
}

const LINK = /^\/files\/([\w-]+)\.([\w-]+)\/([\w.-]+)$/;

/** Only for a payload that we signed. */
function readPayload(payload: string, now: Date): FileRef | undefined {
  const text = Buffer.from(payload, 'base64url').toString();
  const [workspace, requestId, fileId, expires] = JSON.parse(text) as [
    string,
    string,
    string,
    number,
  ];
  if (now.getTime() >= expires * MS_PER_SECOND) return undefined;
  return { workspaceId: workspaceIdOf(workspace), requestId, fileId };
}

/** Longest name in a URL, in characters. */
const NAME_MAX = 80;

/**
 * ASCII letters, digits, and `._-` only, so that nothing on the way rewrites it. The extension stays, by which a
 * service may tell what it is, also if nothing else does: `設計.pdf` becomes `file.pdf`.
 */
export function nameInUrl(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\w.-]+/g, '-');
  const [extension = ''] = EXTENSION.exec(plain) ?? [];
  const stem = plain.slice(0, plain.length - extension.length).replace(/^[.-]+/, '');
  const shown = stem.slice(-(NAME_MAX - extension.length)).replace(/^[.-]+/, '');
  return `${shown || 'file'}${extension}`;
}

const EXTENSION = /\.[A-Za-z\d]{1,16}$/;
