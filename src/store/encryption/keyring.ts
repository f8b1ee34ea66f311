import { sql } from 'kysely';
import type { OwnerId } from '../../installations/workspace-id.ts';
import { OperatorError } from '../../ops/operator-error.ts';
import type { Database } from '../database.ts';
import { SealError, type SealedBox } from './sealed-box.ts';

/** Where secrets are stored, with what `ownerOfSecret` adds to the owner. */
const SECRETS = {
  'api-key': { table: 'api_keys', column: 'sealed_key' },
  'bot-token': { table: 'installations', column: 'sealed_token' },
  'refresh-token': { table: 'installations', column: 'sealed_refresh_token' },
} as const;
type Secret = keyof typeof SECRETS;

/** What a secret of a workspace or organization is bound to. */
export const ownerOfSecret = (id: OwnerId, secret: Secret): string => `${id}/${secret}`;

type SealedRecord = { id: OwnerId; owner: string; sealed: string };

const RECORDS_AT_A_TIME = 100;
/** A key that opens none of this many records is another one: some may have been changed. */
const MOST_TRIED = 100;

/** The encryption keys, and everything that is encrypted with them. */
export function createKeyring(db: Database, box: SealedBox) {
  /** The next records after an ID; `''` for the first ones. */
  async function recordsAfter(secret: Secret, afterId: string): Promise<SealedRecord[]> {
    const { table, column } = SECRETS[secret];
    const { rows } = await sql<Omit<SealedRecord, 'owner'>>`
      select workspace_id as id, ${sql.ref(column)} as sealed from ${sql.table(table)}
      where ${sql.ref(column)} is not null and workspace_id > ${afterId}
      order by workspace_id limit ${RECORDS_AT_A_TIME}`.execute(db);
    return rows.map((row) => ({ ...row, owner: ownerOfSecret(row.id, secret) }));
  }

  /** Replaces records in one transaction, except for those that were changed meanwhile. */
  const replace = (secret: Secret, records: readonly (SealedRecord & { by: string })[]) =>
    db.transaction().execute(async (tx) => {
      const { table, column } = SECRETS[secret];
      for (const { id, sealed, by } of records)
        await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${by}
          where workspace_id = ${id} and ${sql.ref(column)} = ${sealed}`.execute(tx);
    });

  async function eachBatch(
    use: (records: SealedRecord[], secret: Secret) => Promise<void>,
  ): Promise<void> {
    for (const secret of Object.keys(SECRETS) as Secret[]) {
      let last: string | undefined = '';
      while (last !== undefined) {
        const records = await recordsAfter(secret, last);
        await use(records, secret);
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
      await eachBatch(async (records, secret) => {
        const outcomes = await Promise.all(records.map(sealAgain));
        const changed = outcomes.filter((outcome) => typeof outcome === 'object');
        if (changed.length > 0) await replace(secret, changed);
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
  keyring: Pick<ReturnType<typeof createKeyring>, 'missingKeys'>,
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
