import type { OwnerId } from '../../installations/workspace-id.ts';
import { OperatorError } from '../../ops/operator-error.ts';
import { SealError, type SealedBox } from './sealed-box.ts';

/** One sealed record of a table: of which workspace or organisation, and what it is sealed for. */
type SealedRecord = { id: OwnerId; owner: string; sealed: string };

/** A table that holds sealed records. */
export type SealedTable = {
  /** The next ones after an id; from the first one with `''`. */
  list(afterId: string, limit: number): Promise<SealedRecord[]>;
  /** Puts others in their place, together, except where a record was replaced meanwhile. */
  replace(records: readonly (SealedRecord & { by: string })[]): Promise<void>;
};

/** The encryption keys over everything that they have sealed. */
export type Keyring = {
  /** The ids of keys that records were sealed with and that the ring does not hold, each with how many. */
  missingKeys(): Promise<Map<string, number>>;
  /**
   * Seals again, with the first key of the ring, what an earlier one had sealed. It may end anywhere
   * and go on later, also while the app runs; what can't be opened stays as it is.
   *
   * @returns how many were sealed again, and how many can't be opened
   */
  reseal(): Promise<{ resealed: number; unreadable: number }>;
};

/** Records are sealed again, and written, so many at a time. */
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

  /** @returns the record with what takes its place, `current` or `unreadable` */
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
 * Makes sure that whatever was sealed can be opened.
 *
 * @param lostKeyIds of keys that are gone for good, as the operator says: their records stay shut
 * @returns how many records those are
 * @throws OperatorError naming every other key that the ring lacks
 */
export async function requireKeys(
  keyring: Pick<Keyring, 'missingKeys'>,
  lostKeyIds: readonly string[],
): Promise<number> {
  const all = [...(await keyring.missingKeys())];
  const missing = all.filter(([id]) => !lostKeyIds.includes(id));
  if (missing.length === 0) return all.reduce((sum, [, records]) => sum + records, 0);
  const lines = missing.map(
    ([id, records]) => `  "${id}", with which stored API keys or tokens were sealed (${records})`,
  );
  throw new OperatorError(
    `ENCRYPTION_KEYS lacks what is needed to read the database:\n\n${lines.join('\n')}\n\nAdd each of them behind the first, as id:base64. One that is lost for good is named as id:lost; what it had sealed then has to be connected or installed again.`,
  );
}
