import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Tells one browser from another while somebody installs the app; it says nothing about the person. */
export type BrowserCookie = {
  /** The browser's value, or a new one. */
  read(request: IncomingMessage): string;
  /** Undefined where the browser sent none. */
  find(request: IncomingMessage): string | undefined;
  /** The `Set-Cookie` header that keeps it. */
  header(value: string): string;
};

const VALUE_BYTES = 16;
const VALUE = /^[A-Za-z0-9_-]{22}$/;
/** As long as somebody may take between the install page and the last one, in seconds. */
const KEPT_S = 60 * 60;

/**
 * @param options.isSecure whether the app is reached by https. Then no other host or subdomain can set
 *   the cookie (`__Host-`, RFC 6265bis)
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
    // Lax: Slack leads the browser back from elsewhere.
    header: (value) =>
      `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${KEPT_S}${isSecure ? '; Secure' : ''}`,
  };
}
