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

type Keyring = ReturnType<typeof createKeyring>;

const RECORDS_AT_A_TIME = 100;
/** A key that opens none of this many records is another one: some may have been changed. */
const MOST_TRIED = 100;

/** The encryption keys, and everything that is encrypted with them. */
export function createKeyring(box: SealedBox, tables: readonly SealedTable[]) {
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

  async function opens({ sealed, owner }: SealedRecord): Promise<boolean> {
    try {
      await box.open(sealed, owner);
      return true;
    } catch (error) {
      if (error instanceof SealError) return false;
      throw error;
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
    /** The IDs of keys that are missing, or that open none of their records, with the number of records. */
    async missingKeys() {
      const missing = new Map<string, number>();
      const working = new Set<string>();
      await eachBatch(async (records) => {
        for (const record of records) {
          const id = box.keyIdOf(record.sealed);
          if (id === undefined || working.has(id)) continue;
          const tried = missing.get(id) ?? 0;
          if (tried < MOST_TRIED && (await opens(record))) working.add(id);
          else missing.set(id, tried + 1);
        }
      });
      for (const id of working) missing.delete(id);
      return missing;
    },

    /**
     * Encrypts all records with the first key. Can be interrupted and repeated, even while the app runs. Records
     * that can't be decrypted stay as they are.
     *
     * @returns how many were encrypted again, and how many can't be decrypted
     */
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
 * Checks that no encryption key is missing, and that each is the one that encrypted its records.
 *
 * @param lostKeyIds keys that the operator has declared lost
 * @returns how many records need one of those
 * @throws OperatorError that names every other missing or wrong key
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
    `Keys are missing from ENCRYPTION_KEYS, or another key has their ID:\n\n${lines.join('\n')}\n\nAdd each of them after the first one, as id:base64. If one is lost for good, add it as id:lost, and give a new key another ID; admins then have to connect or install again.`,
  );
}
