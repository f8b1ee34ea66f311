import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from './database.ts';
import { engineOf } from './rows.ts';
import type { Schema } from './tables.ts';

/** The most rows of one statement: SQLite blocks this process meanwhile, for a few ms. */
export const ROWS_AT_A_TIME = 250;

/** Outside a transaction, each batch is its own commit. @param condition may end with ORDER BY */
export async function deleteInBatches(
  db: Database,
  table: keyof Schema,
  condition: RawBuilder<unknown>,
): Promise<number> {
  const address = engineOf(db) === 'sqlite' ? sql`rowid` : sql`ctid`;
  const statement = sql`delete from ${sql.table(table)} where ${address} in (
    select ${address} from ${sql.table(table)} where ${condition} limit ${sql.lit(ROWS_AT_A_TIME)}
  )`.compile(db);
  for (let all = 0; ; ) {
    const { numAffectedRows = 0n } = await db.executeQuery(statement);
    if (numAffectedRows === 0n) return all;
    all += Number(numAffectedRows);
    await nextTurn();
  }
}
