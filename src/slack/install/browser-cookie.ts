import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Identifies a browser during an installation; it says nothing about the person. */
export type BrowserCookie = {
  /** The browser's value, or a new one. */
  read(request: IncomingMessage): string;
  /** Undefined if the browser sent none. */
  find(request: IncomingMessage): string | undefined;
  /** The `Set-Cookie` header that stores it. */
  header(value: string): string;
};

const VALUE_BYTES = 16;
const VALUE = /^[A-Za-z0-9_-]{22}$/;
/** How long an installation may take, in seconds. */
const MAX_AGE_S = 60 * 60;

/**
 * @param options.isSecure whether the app is served over HTTPS. Then the name gets the prefix
 *   `__Host-`, so no other host or subdomain can set the cookie (RFC 6265bis)
 */
export function createBrowserCookie({ isSecure }: { isSecure: boolean }): BrowserCookie {
  const name = isSecure ? '__Host-design-request' : 'design-request';

  function find(request: IncomingMessage): string | undefined {
    const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
    const found = cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
    return found !== undefined && VALUE.test(found) ? found : undefined;
  }

  return {
    find,
    read: (request) => find(request) ?? randomBytes(VALUE_BYTES).toString('base64url'),
    // Lax, since Slack redirects the browser here.
    header: (value) =>
      `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${MAX_AGE_S}${isSecure ? '; Secure' : ''}`,
  };
}
