import type { FlattenedJWE } from 'jose';
import { z } from 'zod';
import type { EncryptionKey } from '../../config/keyring.ts';

/**
 * Encrypts secrets for the store. A sealed text opens only for the owner it was sealed for: a row
 * copied to another workspace stays shut.
 */
export type SealedBox = {
  /** @param owner the workspace (or organisation) id and what the secret is, for example `T1/api-key` */
  seal(secret: string, owner: string): Promise<string>;
  /** @throws SealError when the record was changed, belongs to another owner, or its key is not in the keyring */
  open(sealed: string, owner: string): Promise<string>;
  /** Whether the record was sealed with another key than the first. */
  needsResealing(sealed: string): boolean;
  /** The id of the key that the record was sealed with, where the keyring lacks it; undefined else. */
  missingKeyOf(sealed: string): string | undefined;
};

export type SealErrorReason = 'unknown_key' | 'refused';

/** A sealed record can't be opened. Says why, never what. */
export class SealError extends Error {
  readonly reason: SealErrorReason;
  constructor(reason: SealErrorReason, keyId?: string) {
    super(
      reason === 'unknown_key'
        ? `A stored secret was sealed with the key "${keyId}", which ENCRYPTION_KEYS does not hold.`
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

/** Read with the first secret: the app is ready without it. */
const jwe = () => import('./jwe.ts');

/** @param keys the keyring: the first seals, all open. At least one. */
export function createSealedBox(keys: readonly EncryptionKey[]): SealedBox {
  const [first] = keys;
  if (!first) throw new Error('A sealed box needs at least one key.');
  const keyring = new Map(keys.map(({ id, key }) => [id, key]));

  return {
    async seal(secret, owner) {
      const { encrypt } = await jwe();
      return JSON.stringify(await encrypt(secret, { owner, keyId: first.id, key: first.key }));
    },

    async open(sealed, owner) {
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

    missingKeyOf(sealed) {
      try {
        const id = keyIdOf(readRecord(sealed));
        return keyring.has(id) ? undefined : id;
      } catch {
        // A damaged record names no key.
        return undefined;
      }
    },

    needsResealing: (sealed) => keyIdOf(readRecord(sealed)) !== first.id,
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
