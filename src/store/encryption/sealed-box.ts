import type { FlattenedJWE } from 'jose';
import { z } from 'zod';
import type { EncryptionKey } from '../../config/keyring.ts';

export type SealedBox = ReturnType<typeof createSealedBox>;

export const SEAL_ERROR_REASONS = ['unknown_key', 'refused'] as const;
export type SealErrorReason = (typeof SEAL_ERROR_REASONS)[number];

/** A secret can't be decrypted. */
export class SealError extends Error {
  readonly reason: SealErrorReason;
  constructor(reason: SealErrorReason, keyId?: string) {
    super(
      reason === 'unknown_key'
        ? `A stored secret was encrypted with the key "${keyId}", which is missing from ENCRYPTION_KEYS.`
        : 'A stored secret was changed or belongs to another workspace.',
    );
    this.name = 'SealError';
    this.reason = reason;
  }
}

const record = z.object({
  protected: z.string(),
  iv: z.string(),
  ciphertext: z.string(),
  tag: z.string(),
  aad: z.string(),
});
const header = z.object({ kid: z.string() });

// JWE (RFC 7516) in its JSON form, which, unlike the compact one, can have associated data.
const ALGORITHM = { alg: 'dir', enc: 'A256GCM' } as const;

const loadJose = async () => ({
  ...(await import('jose/jwe/flattened/encrypt')),
  ...(await import('jose/jwe/flattened/decrypt')),
});
let loading: ReturnType<typeof loadJose> | undefined;

/** Loaded with the first secret, to keep the start fast, and only once, since resolving its name takes time, too. */
function jose() {
  loading ??= loadJose();
  return loading;
}

/**
 * Encrypts (seals) secrets for the store, each bound to its owner: a row that is copied to another workspace
 * can't be decrypted (opened).
 *
 * @param keys at least one; the first encrypts, all decrypt
 */
export function createSealedBox(keys: readonly EncryptionKey[]) {
  const [first] = keys;
  if (!first) throw new Error('A sealed box needs at least one key.');
  const keyring = new Map(keys.map(({ id, key }) => [id, key]));

  return {
    /** @param owner the workspace or organization ID and the kind of secret, for example `T1/api-key` */
    async seal(secret: string, owner: string) {
      const { FlattenedEncrypt } = await jose();
      const jwe = await new FlattenedEncrypt(new TextEncoder().encode(secret))
        .setProtectedHeader({ ...ALGORITHM, kid: first.id })
        .setAdditionalAuthenticatedData(new TextEncoder().encode(owner))
        .encrypt(first.key);
      return JSON.stringify(jwe);
    },

    /** @throws SealError if the record was changed, belongs to another owner, or its key is not in the keyring */
    async open(sealed: string, owner: string) {
      const sealedRecord = readRecord(sealed);
      const keyId = keyIdOf(sealedRecord);
      const key = keyring.get(keyId);
      if (!key) throw new SealError('unknown_key', keyId);
      const { flattenedDecrypt } = await jose();
      // The record contains its owner, too, but only the expected one must be used.
      const aad = Buffer.from(owner).toString('base64url');
      try {
        const { plaintext } = await flattenedDecrypt({ ...sealedRecord, aad }, key, {
          keyManagementAlgorithms: [ALGORITHM.alg],
          contentEncryptionAlgorithms: [ALGORITHM.enc],
        });
        return Buffer.from(plaintext).toString();
      } catch {
        throw new SealError('refused');
      }
    },

    /** The ID of the key that the record needs; undefined if the record is damaged. */
    keyIdOf(sealed: string) {
      try {
        return keyIdOf(readRecord(sealed));
      } catch {
        return undefined;
      }
    },

    /** Whether the record was encrypted with another key than the first. */
    needsResealing: (sealed: string) => keyIdOf(readRecord(sealed)) !== first.id,
  };
}

function readRecord(sealed: string): FlattenedJWE {
  try {
    return record.parse(JSON.parse(sealed));
  } catch {
    throw new SealError('refused');
  }
}

function keyIdOf(jwe: FlattenedJWE): string {
  try {
    return header.parse(JSON.parse(Buffer.from(jwe.protected ?? '', 'base64url').toString())).kid;
  } catch {
    throw new SealError('refused');
  }
}
