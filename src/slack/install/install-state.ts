import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** What goes to Slack as `state` and comes back: it proves that this app, and this browser, began. */
export type InstallState = {
  /** Used once. */
  nonce: string;
  expiresAt: Date;
  /** Whether Slack was told where to send people back; it wants to hear the same again. */
  namesRedirect: boolean;
};

/** From the install page, or the page that asks, to the end; in ms. */
const LIFE_MS = 30 * 60_000;
const NONCE_BYTES = 16;

const content = z.object({ n: z.string(), e: z.number(), r: z.boolean() });

/** @param secret SLACK_STATE_SECRET */
export function createInstallStates(deps: { secret: string; now: () => Date }) {
  const { secret, now } = deps;

  // What binds the state to a browser is not in it: who reads the address can't forge the cookie.
  const signatureOf = (text: string, browser: string) =>
    createHmac('sha256', secret).update(`${text}.${browser}`).digest();

  return {
    /** @param browser the value of the browser's cookie */
    issue(browser: string, { namesRedirect }: { namesRedirect: boolean }): string {
      const text = Buffer.from(
        JSON.stringify({
          n: randomBytes(NONCE_BYTES).toString('base64url'),
          e: now().getTime() + LIFE_MS,
          r: namesRedirect,
        } satisfies z.infer<typeof content>),
      ).toString('base64url');
      return `${text}.${signatureOf(text, browser).toString('base64url')}`;
    },

    /** @returns undefined for one that is forged, too old, or another browser's */
    verify(state: string, browser: string): InstallState | undefined {
      const [text = '', signature = '', ...rest] = state.split('.');
      const given = Buffer.from(signature, 'base64url');
      const expected = signatureOf(text, browser);
      if (rest.length > 0 || given.length !== expected.length) return undefined;
      if (!timingSafeEqual(given, expected)) return undefined;
      const { n, e, r } = content.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
      return e > now().getTime()
        ? { nonce: n, expiresAt: new Date(e), namesRedirect: r }
        : undefined;
    },
  };
}
