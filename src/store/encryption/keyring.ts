import type { OwnerId } from '../../installations/workspace-id.ts';
import { OperatorError } from '../../ops/operator-error.ts';
import { SealError, type SealedBox } from './sealed-box.ts';

/** An encrypted secret of a workspace or organization, and the owner that it is bound to. */
type SealedRecord = { id: OwnerId; owner: string; sealed: string };

/** A table with encrypted secrets. */
export type SealedTable = {
  /** The next records after an ID; `''` for the first ones. */
  list(afterId: string, limit: number): Promise<SealedRecord[]>;
  /** Replaces records in one transaction, except for those that were changed meanwhile. */
  replace(records: readonly (SealedRecord & { by: string })[]): Promise<void>;
};

/** The encryption keys, and everything that is encrypted with them. */
export type Keyring = {
  /** The IDs of keys that records need and that are missing, with the number of records. */
  missingKeys(): Promise<Map<string, number>>;
  /**
   * Encrypts all records with the first key. Can be interrupted and repeated, even while the app runs. Records
   * that can't be decrypted stay as they are.
   *
   * @returns how many were encrypted again, and how many can't be decrypted
   */
  reseal(): Promise<{ resealed: number; unreadable: number }>;
};

const RECORDS_AT_A_TIME = 100;

export function createKeyring(box: SealedBox, tables: readonly SealedTable[]): Keyring {
  async function eachBatch(
    use: (records: SealedRecord[], table: SealedTable) => Promise<void>,
  ): Promise<void> {
    for (const table of tables) {
      let last: string | undefined = '';
      while (last !== undefined) {
        const records = await table.list(last, RECORDS_AT_A_TIME);
        await use(records, table);
        last = records.length < RECORDS_AT_A_TIME ? undefined : records.at(-1)?.id;
      }
    }
  }

  /** @returns the record with its replacement, `current`, or `unreadable` */
  async function sealAgain(record: SealedRecord) {
    try {
      if (!box.needsResealing(record.sealed)) return 'current';
      const secret = await box.open(record.sealed, record.owner);
      return { ...record, by: await box.seal(secret, record.owner) };
    } catch (error) {
      if (error instanceof SealError) return 'unreadable';
      throw error;
    }
  }

  return {
    async missingKeys() {
      const missing = new Map<string, number>();
      await eachBatch(async (records) => {
        for (const { sealed } of records) {
          const id = box.missingKeyOf(sealed);
          if (id !== undefined) missing.set(id, (missing.get(id) ?? 0) + 1);
        }
      });
      return missing;
    },

    async reseal() {
      const counts = { resealed: 0, unreadable: 0 };
      await eachBatch(async (records, table) => {
        const outcomes = await Promise.all(records.map(sealAgain));
        const changed = outcomes.filter((outcome) => typeof outcome === 'object');
        if (changed.length > 0) await table.replace(changed);
        counts.resealed += changed.length;
        counts.unreadable += outcomes.filter((outcome) => outcome === 'unreadable').length;
      });
      return counts;
    },
  };
}

/**
 * Checks that no encryption key is missing.
 *
 * @param lostKeyIds keys that the operator has declared lost
 * @returns how many records need one of those
 * @throws OperatorError that names every other missing key
 */
export async function requireKeys(
  keyring: Pick<Keyring, 'missingKeys'>,
  lostKeyIds: readonly string[],
): Promise<number> {
  const all = [...(await keyring.missingKeys())];
  const missing = all.filter(([id]) => !lostKeyIds.includes(id));
  if (missing.length === 0) return all.reduce((sum, [, records]) => sum + records, 0);
  const lines = missing.map(
    ([id, records]) => `  "${id}", which encrypted ${records} API keys or tokens`,
  );
  throw new OperatorError(
    `Keys are missing from ENCRYPTION_KEYS:\n\n${lines.join('\n')}\n\nAdd each of them after the first one, as id:base64. If one is lost for good, add it as id:lost; admins then have to connect or install again.`,
  );
}
