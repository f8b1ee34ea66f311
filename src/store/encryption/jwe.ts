import type { FlattenedJWE } from 'jose';
import { flattenedDecrypt } from 'jose/jwe/flattened/decrypt';
import { FlattenedEncrypt } from 'jose/jwe/flattened/encrypt';

// A JWE (RFC 7516) in its JSON form: a standard record that carries its key's id, and has room for
// associated data, which the compact form has not.
const ALGORITHM = { alg: 'dir', enc: 'A256GCM' } as const;

/** @param owner becomes the associated data: what was sealed opens only beside it */
export function encrypt(
  secret: string,
  { owner, keyId, key }: { owner: string; keyId: string; key: Uint8Array },
): Promise<FlattenedJWE> {
  return new FlattenedEncrypt(new TextEncoder().encode(secret))
    .setProtectedHeader({ ...ALGORITHM, kid: keyId })
    .setAdditionalAuthenticatedData(new TextEncoder().encode(owner))
    .encrypt(key);
}

/** @throws jose's error where the record was changed, or sealed for somebody else or with another key */
export async function decrypt(
  jwe: FlattenedJWE,
  { owner, key }: { owner: string; key: Uint8Array },
): Promise<string> {
  // The record names its owner too, but only what the caller expects is believed.
  const aad = Buffer.from(owner).toString('base64url');
  const { plaintext } = await flattenedDecrypt({ ...jwe, aad }, key, {
    keyManagementAlgorithms: [ALGORITHM.alg],
    contentEncryptionAlgorithms: [ALGORITHM.enc],
  });
  return Buffer.from(plaintext).toString();
}
