import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

/**
 * The parts of a Postgres URL that say how the way to it is protected, as libpq means them
 * (https://www.postgresql.org/docs/current/libpq-ssl.html): pg reads `require` as `verify-full`.
 */
const SSL_PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const;

/** `allow` and `prefer` protect from nobody who can stand in the way, and pg can't do them. */
export const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
type SslMode = (typeof SSL_MODES)[number];

/** Whether a URL names a way that is known; without one there is no TLS. */
export function hasKnownSslMode(url: URL): boolean {
  const mode = url.searchParams.get('sslmode');
  return mode === null || (SSL_MODES as readonly string[]).includes(mode);
}

/**
 * Takes what it says about TLS out of a Postgres URL.
 *
 * @returns the URL without it, and what Node's TLS is to do; false for a plain connection
 * @throws the file system's error where a certificate can't be read
 */
export function takeTlsOut(text: string): { url: string; ssl: ConnectionOptions | false } {
  const url = new URL(text);
  const [mode, root, certificate, key] = SSL_PARAMETERS.map((name) => url.searchParams.get(name));
  for (const name of SSL_PARAMETERS) url.searchParams.delete(name);
  if (!mode || mode === 'disable') return { url: url.href, ssl: false };
  const ssl = {
    // The system's certificates, where none is named.
    ...(root && root !== 'system' ? { ca: readFileSync(root, 'utf8') } : {}),
    ...(certificate ? { cert: readFileSync(certificate, 'utf8') } : {}),
    ...(key ? { key: readFileSync(key, 'utf8') } : {}),
    ...verificationOf(mode as SslMode, Boolean(root)),
  };
  return { url: url.href, ssl };
}

/** `require` encrypts without asking who is there, unless a root certificate is named with it. */
function verificationOf(mode: SslMode, hasRoot: boolean): ConnectionOptions {
  if (mode === 'verify-full') return { rejectUnauthorized: true };
  if (mode === 'verify-ca' || hasRoot) {
    return { rejectUnauthorized: true, checkServerIdentity: () => undefined };
  }
  return { rejectUnauthorized: false };
}
