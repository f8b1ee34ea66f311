import type { JWEHeaderParameters } from 'jose';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { flattenedDecrypt } from 'jose/jwe/flattened/decrypt';
import { FlattenedEncrypt } from 'jose/jwe/flattened/encrypt';
import type { EncryptionKey } from '../../config/keyring.ts';

export type SealedBox = ReturnType<typeof createSealedBox>;

export const SEAL_ERROR_REASONS = ['unknown_key', 'refused'] as const;
export type SealErrorReason = (typeof SEAL_ERROR_REASONS)[number];

/** A secret can't be decrypted. */
export class SealError extends Error {
  override name = 'SealError';
  readonly reason: SealErrorReason;
  constructor(
    reason: SealErrorReason,
    message = 'A stored secret was changed or belongs to another workspace.',
  ) {
    super(message);
    this.reason = reason;
  }
}

// JWE (RFC 7516) in its JSON form, which, unlike the compact one, can have associated data.
const ALGORITHM = { alg: 'dir', enc: 'A256GCM' } as const;

/** Encrypts (seals) secrets with the first key, each bound to its owner. All keys decrypt (open) those of the same owner. */
export function createSealedBox(
  keys: readonly EncryptionKey[],
  onRefused: (error: SealError, owner: string) => void = () => undefined,
) {
  const [first] = keys;
  if (!first) throw new Error('A sealed box needs at least one key.');
  const keyring = new Map(keys.map(({ id, key }) => [id, key]));

  function keyOf({ kid }: JWEHeaderParameters = {}) {
    if (kid === undefined) throw new SealError('refused');
    const key = keyring.get(kid);
    if (key) return key;
    const message = `A stored secret was encrypted with the key "${kid}", which is missing from ENCRYPTION_KEYS.`;
    throw new SealError('unknown_key', message);
  }

  /** The ID of the key that the record needs; undefined if the record is damaged. */
  function keyIdOf(sealed: string): string | undefined {
    try {
      return decodeProtectedHeader(JSON.parse(sealed)).kid;
    } catch {
      return undefined;
    }
  }

  return {
    keyIdOf,

    /** Whether the record was encrypted with another key than the first. */
    needsResealing: (sealed: string) => keyIdOf(sealed) !== first.id,

    /** @param owner the workspace or organization ID and the kind of secret, for example `T1/api-key` */
    async seal(secret: string, owner: string) {
      const jwe = await new FlattenedEncrypt(new TextEncoder().encode(secret))
        .setProtectedHeader({ ...ALGORITHM, kid: first.id })
        .setAdditionalAuthenticatedData(new TextEncoder().encode(owner))
        .encrypt(first.key);
      return JSON.stringify(jwe);
    },

    /** @throws SealError if the record was changed, belongs to another owner, or its key is not in the keyring */
    async open(sealed: string, owner: string) {
      try {
        // The record contains its owner, too, but only the expected one must be used.
        const record = { ...JSON.parse(sealed), aad: Buffer.from(owner).toString('base64url') };
        const { plaintext } = await flattenedDecrypt(record, keyOf, {
          keyManagementAlgorithms: [ALGORITHM.alg],
          contentEncryptionAlgorithms: [ALGORITHM.enc],
        });
        return Buffer.from(plaintext).toString();
      } catch (error) {
        const refusal = error instanceof SealError ? error : new SealError('refused');
        onRefused(refusal, owner);
        throw refusal;
      }
    },
  };
}
