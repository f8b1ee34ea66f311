import { type RawBuilder, sql } from 'kysely';
import { OperatorError } from '../../ops/operator-error.ts';
import type { Database } from '../database.ts';
import { SealError, type SealedBox } from './sealed-box.ts';

/** The kinds of secrets, and where they are stored. */
const SECRETS = {
  'api-key': { table: 'api_keys', column: 'sealed_key' },
  'bot-token': { table: 'installations', column: 'sealed_token' },
  'refresh-token': { table: 'installations', column: 'sealed_refresh_token' },
} as const;
type Secret = keyof typeof SECRETS;

/** What a secret of a workspace or organization is bound to. */
export const ownerOfSecret = (id: string, secret: Secret): string => `${id}/${secret}`;

const RECORDS_AT_A_TIME = 100;

/** The encryption keys, and everything that is encrypted with them. */
export function createKeyring(db: Database, box: SealedBox) {
  async function* records() {
    for (const secret of Object.keys(SECRETS) as Secret[]) {
      const table = sql.table(SECRETS[secret].table);
      const column = sql.ref(SECRETS[secret].column);
      for (let last: string | undefined = ''; last !== undefined; ) {
        const { rows } = await sql<{ id: string; sealed: string }>`
          select workspace_id as id, ${column} as sealed from ${table}
          where ${column} is not null and workspace_id > ${last}
          order by workspace_id limit ${RECORDS_AT_A_TIME}`.execute(db);
        for (const row of rows)
          yield { ...row, table, column, owner: ownerOfSecret(row.id, secret) };
        last = rows.at(-1)?.id;
      }
    }
  }

  /** @returns undefined if the record can't be decrypted */
  async function open({ sealed, owner }: { sealed: string; owner: string }) {
    try {
      return { secret: await box.open(sealed, owner) };
    } catch (error) {
      if (error instanceof SealError) return undefined;
      throw error;
    }
  }

  /** The IDs of keys that are missing, or that open none of their records, with the number of records. */
  async function missingKeys() {
    const missing = new Map<string, number>();
    const working = new Set<string>();
    for await (const record of records()) {
      const id = box.keyIdOf(record.sealed);
      if (id === undefined || working.has(id)) continue;
      // A single record of the right key may be damaged.
      if (await open(record)) working.add(id);
      else missing.set(id, (missing.get(id) ?? 0) + 1);
    }
    for (const id of working) missing.delete(id);
    return [...missing];
  }

  return {
    /** @returns how many records need a lost key @throws OperatorError that names every other missing or wrong key */
    async require(lostKeyIds: readonly string[]): Promise<number> {
      const all = await missingKeys();
      const missing = all.filter(([id]) => !lostKeyIds.includes(id));
      if (missing.length === 0) return all.reduce((sum, [, records]) => sum + records, 0);
      const lines = missing.map(
        ([id, records]) => `  "${id}", which encrypted ${records} of the API keys and tokens`,
      );
      throw new OperatorError(
        `Keys are missing from ENCRYPTION_KEYS, or another key has their ID:\n\n${lines.join('\n')}\n\nAdd each of them after the first one, as id:base64. If one is lost for good, add it as id:lost, and give a new key another ID; admins then have to connect or install again.`,
      );
    },

    /** With the first key, as far as they can be decrypted. Can be interrupted and repeated, even while the app runs. */
    async reseal() {
      const counts = { resealed: 0, unreadable: 0 };
      const changes: RawBuilder<unknown>[] = [];
      const commit = () =>
        db.transaction().execute(async (tx) => {
          for (const change of changes.splice(0)) await change.execute(tx);
        });
      for await (const record of records()) {
        const { id, table, column, owner, sealed } = record;
        if (!box.needsResealing(sealed)) continue;
        const opened = await open(record);
        counts[opened ? 'resealed' : 'unreadable'] += 1;
        if (!opened) continue;
        const resealed = await box.seal(opened.secret, owner);
        // One that was changed meanwhile is left alone.
        changes.push(sql`update ${table} set ${column} = ${resealed}
          where workspace_id = ${id} and ${column} = ${sealed}`);
        if (changes.length === RECORDS_AT_A_TIME) await commit();
      }
      await commit();
      return counts;
    },
  };
}
