import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { EncryptionKey } from '../config/keyring.ts';

const KEY_BYTES = 32;

/**
 * Signs the addresses of this app's own pages and files.
 *
 * @param keys at least one: the first signs, every one verifies, so keys can be rotated
 * @param purpose separates these keys from every other use of ENCRYPTION_KEYS
 */
export function createUrlSigner(keys: readonly EncryptionKey[], purpose: string) {
  const derived = keys.map(({ key }) =>
    Buffer.from(hkdfSync('sha256', key, '', purpose, KEY_BYTES)),
  );
  const macWith = (key: Buffer, signed: string) =>
    createHmac('sha256', key).update(signed).digest('base64url');
  return {
    /** As base64url. */
    sign(text: string): string {
      const [first] = derived;
      if (!first) throw new Error('Signing needs at least one key.');
      return macWith(first, text);
    },
    /** Whether any of the keys made it. Texts are compared, not bytes: base64 has several spellings of the same bytes. */
    verify: (text: string, signature: string): boolean =>
      derived.map((key) => isSame(macWith(key, text), signature)).includes(true),
  };
}

function isSame(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}
