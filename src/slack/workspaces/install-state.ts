import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { onceKind } from '../../store/entries.ts';

/** How long an installation may take, in ms. */
const MAX_AGE_MS = 30 * 60_000;
const NONCE_BYTES = 16;

/** The nonces that were used. */
export const USED_STATE = onceKind('install_state', MAX_AGE_MS);

const content = z.object({
  /** Accepted once. */
  nonce: z.string(),
  expiresAt: z.number(),
  /** Whether the authorize URL named a redirect URI; the exchange must name it, too. */
  namesRedirect: z.boolean(),
});

/** The OAuth `state`: proves that this app, in this browser, started the installation. */
export function createInstallStates(deps: { secret: string; now: () => Date }) {
  const { secret, now } = deps;

  // The browser's value is signed but not included, so reading the URL isn't enough to forge the
  // cookie.
  const signatureOf = (text: string, browser: string) =>
    createHmac('sha256', secret).update(`${text}.${browser}`).digest();

  return {
    issue(browser: string, { namesRedirect }: { namesRedirect: boolean }): string {
      const nonce = randomBytes(NONCE_BYTES).toString('base64url');
      const state = { nonce, expiresAt: now().getTime() + MAX_AGE_MS, namesRedirect };
      const text = Buffer.from(JSON.stringify(state)).toString('base64url');
      return `${text}.${signatureOf(text, browser).toString('base64url')}`;
    },

    /** @returns undefined if it is forged, expired, or from another browser */
    verify(state: string, browser: string): z.infer<typeof content> | undefined {
      const [text = '', signature = '', ...rest] = state.split('.');
      const given = Buffer.from(signature, 'base64url');
      const expected = signatureOf(text, browser);
      if (rest.length > 0 || given.length !== expected.length) return undefined;
      if (!timingSafeEqual(given, expected)) return undefined;
      // An earlier version may have issued it.
      const issued = content.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())).data;
      return issued && issued.expiresAt > now().getTime() ? issued : undefined;
    },
  };
}

const COOKIE_BYTES = 16;
const COOKIE_VALUE = /^[A-Za-z0-9_-]{22}$/;
/** In seconds. */
const COOKIE_MAX_AGE_S = 60 * 60;

/**
 * Identifies a browser during an installation; it says nothing about the person.
 *
 * @param options.isSecure whether the app is served over HTTPS. Then the name gets the prefix
 *   `__Host-`, so no other host or subdomain can set the cookie (RFC 6265bis)
 */
export function createBrowserCookie({ isSecure }: { isSecure: boolean }) {
  const name = isSecure ? '__Host-design-request' : 'design-request';

  /** Undefined if the browser sent none. */
  function find(request: IncomingMessage): string | undefined {
    const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
    const found = cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
    return found !== undefined && COOKIE_VALUE.test(found) ? found : undefined;
  }

  return {
    find,
    /** The browser's value, or a new one. */
    read: (request: IncomingMessage) =>
      find(request) ?? randomBytes(COOKIE_BYTES).toString('base64url'),
    /** The `Set-Cookie` header that stores it. Lax, since Slack redirects the browser here. */
    header: (value: string) =>
      `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${COOKIE_MAX_AGE_S}${isSecure ? '; Secure' : ''}`,
  };
}
