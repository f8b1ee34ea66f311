import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { EncryptionKey } from '../config/keyring.ts';

const KEY_BYTES = 32;
const SIGNED = /^([\w-]+)\.([\w-]+)((?:\/[\w.-]+)?)$/;

/**
 * Expiring addresses of this app's pages and files: whoever has one gets what it names, nothing else.
 *
 * @param options.keys at least one: the first signs, every one verifies, so keys can be rotated
 * @param options.purpose separates these keys from every other use of ENCRYPTION_KEYS
 */
export function createUrlSigner(options: {
  keys: readonly EncryptionKey[];
  purpose: string;
  lifeMs: number;
  now: () => Date;
}) {
  const { purpose, lifeMs, now } = options;
  const [first, ...others] = options.keys.map(({ key }) =>
    Buffer.from(hkdfSync('sha256', key, '', purpose, KEY_BYTES)),
  );
  if (!first) throw new Error('Signing needs at least one key.');
  const macWith = (key: Buffer, signed: string) =>
    createHmac('sha256', key).update(signed).digest('base64url');

  return {
    /** @param ending what follows, also signed: a slash and a name */
    sign(values: readonly string[], ending = ''): string {
      const named = JSON.stringify([...values, now().getTime() + lifeMs]);
      const payload = Buffer.from(named).toString('base64url');
      return `${payload}.${macWith(first, payload + ending)}${ending}`;
    },

    /** Undefined if it isn't exactly what `sign` made, or has expired. */
    read(signed: string): string[] | undefined {
      const [, payload = '', mac = '', ending = ''] = SIGNED.exec(signed) ?? [];
      if (![first, ...others].some((key) => isSame(macWith(key, payload + ending), mac))) {
        return undefined;
      }
      const values = JSON.parse(Buffer.from(payload, 'base64url').toString());
      return now().getTime() < values.pop() ? values : undefined;
    },
  };
}

/** Compares texts, not bytes: base64 has several spellings of the same bytes. */
function isSame(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}
