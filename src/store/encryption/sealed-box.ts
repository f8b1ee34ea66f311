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

let loading: Promise<typeof import('./jwe.ts')> | undefined;

/** Loaded with the first secret, to keep the start fast, and only once, since resolving its name takes time, too. */
function jwe() {
  loading ??= import('./jwe.ts');
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
      const { encrypt } = await jwe();
      return JSON.stringify(await encrypt(secret, { owner, keyId: first.id, key: first.key }));
    },

    /** @throws SealError if the record was changed, belongs to another owner, or its key is not in the keyring */
    async open(sealed: string, owner: string) {
      const sealedRecord = readRecord(sealed);
      const keyId = keyIdOf(sealedRecord);
      const key = keyring.get(keyId);
      if (!key) throw new SealError('unknown_key', keyId);
      const { decrypt } = await jwe();
      try {
        return await decrypt(sealedRecord, { owner, key });
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
