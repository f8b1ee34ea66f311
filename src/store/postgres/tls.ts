import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

/**
 * The TLS parameters of a Postgres URL, with the meaning that libpq gives them
 * (https://www.postgresql.org/docs/current/libpq-ssl.html). pg itself treats `require` like `verify-full`.
 */
const SSL_PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const;

/** `allow` and `prefer` don't stop attackers; `no-verify` is pg's word for `require` without a root certificate. */
export const SSL_MODES = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full'] as const;
type SslMode = (typeof SSL_MODES)[number];

/** Without an sslmode there is no TLS. */
export const hasKnownSslMode = ({ searchParams }: URL): boolean =>
  SSL_MODES.includes((searchParams.get('sslmode') ?? 'disable') as SslMode);

/** Separates the TLS parameters from a Postgres URL. @returns also the options for Node's TLS, or false without TLS */
export function separateTls(text: string): { url: string; ssl: ConnectionOptions | false } {
  const url = new URL(text);
  const [mode, root, certificate, key] = SSL_PARAMETERS.map((name) => url.searchParams.get(name));
  for (const name of SSL_PARAMETERS) url.searchParams.delete(name);
  if (!mode || mode === 'disable') return { url: url.href, ssl: false };
  const ssl = {
    // By default, the system's root certificates.
    ...(root && root !== 'system' ? { ca: readFileSync(root, 'utf8') } : {}),
    ...(certificate ? { cert: readFileSync(certificate, 'utf8') } : {}),
    ...(key ? { key: readFileSync(key, 'utf8') } : {}),
    ...verificationOf(mode as SslMode, Boolean(root)),
  };
  return { url: url.href, ssl };
}

/** `require` encrypts without verifying the server, unless there is a root certificate. */
function verificationOf(mode: SslMode, hasRoot: boolean): ConnectionOptions {
  if (mode === 'verify-full') return { rejectUnauthorized: true };
  if (mode === 'verify-ca' || (mode === 'require' && hasRoot))
    return { rejectUnauthorized: true, checkServerIdentity: () => undefined };
  return { rejectUnauthorized: false };
}
