import type { FlattenedJWE } from 'jose';
import { flattenedDecrypt } from 'jose/jwe/flattened/decrypt';
import { FlattenedEncrypt } from 'jose/jwe/flattened/encrypt';

// JWE (RFC 7516) in its JSON form, which, unlike the compact one, can have associated data.
const ALGORITHM = { alg: 'dir', enc: 'A256GCM' } as const;

/** @param owner becomes the associated data, and is needed again to decrypt */
export function encrypt(
  secret: string,
  { owner, keyId, key }: { owner: string; keyId: string; key: Uint8Array },
): Promise<FlattenedJWE> {
  return new FlattenedEncrypt(new TextEncoder().encode(secret))
    .setProtectedHeader({ ...ALGORITHM, kid: keyId })
    .setAdditionalAuthenticatedData(new TextEncoder().encode(owner))
    .encrypt(key);
}

/** @throws jose's error if the record was changed, or encrypted for another owner or with another key */
export async function decrypt(
  jwe: FlattenedJWE,
  { owner, key }: { owner: string; key: Uint8Array },
): Promise<string> {
  // The record contains its owner, too, but only the expected one must be used.
  const aad = Buffer.from(owner).toString('base64url');
  const { plaintext } = await flattenedDecrypt({ ...jwe, aad }, key, {
    keyManagementAlgorithms: [ALGORITHM.alg],
    contentEncryptionAlgorithms: [ALGORITHM.enc],
  });
  return Buffer.from(plaintext).toString();
}
