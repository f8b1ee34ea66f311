import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { CLOCKS_DIFFER_MS } from '../clock.ts';
import type { Database } from './database.ts';
import { engineOf } from './engine.ts';
import type { Schema } from './schema.ts';

/**
 * The most rows that one statement reads or changes. SQLite runs in this process and blocks it during a
 * statement: for a few ms with this many rows.
 */
export const ROWS_AT_A_TIME = 250;

type Table = keyof Schema;

/**
 * Deletes rows in batches, each with its own commit.
 *
 * @param condition which rows, as SQL; may end with an ORDER BY
 * @returns how many were deleted
 */
export function deleteInBatches(
  db: Database,
  table: Table,
  condition: RawBuilder<unknown>,
): Promise<number> {
  return inBatches(db, table, { change: sql`delete from ${sql.table(table)}`, condition });
}

/**
 * Updates rows in batches, each with its own commit.
 *
 * @param values as SQL; they must make the condition false
 */
function updateInBatches(
  db: Database,
  table: Table,
  { values, condition }: { values: RawBuilder<unknown>; condition: RawBuilder<unknown> },
): Promise<number> {
  const change = sql`update ${sql.table(table)} set ${values}`;
  return inBatches(db, table, { change, condition });
}

/**
 * Sets times that lie in the future to now. They were written before the clock was set back, and their rows
 * would be kept for longer than promised.
 *
 * @param column the column with the time
 * @param condition further limits the rows
 */
export function ageFromNow(
  db: Database,
  table: Table,
  { column, condition, now }: { column: string; condition: RawBuilder<unknown>; now: Date },
): Promise<number> {
  const moment = sql.ref(column);
  return updateInBatches(db, table, {
    values: sql`${moment} = ${now.getTime()}`,
    condition: sql`${condition} and ${moment} > ${now.getTime() + CLOCKS_DIFFER_MS}`,
  });
}

/** The physical address of a row. */
const ROW_ADDRESS = { sqlite: sql`rowid`, postgres: sql`ctid` };

async function inBatches(
  db: Database,
  table: Table,
  { change, condition }: { change: RawBuilder<unknown>; condition: RawBuilder<unknown> },
): Promise<number> {
  const address = ROW_ADDRESS[engineOf(db)];
  const statement = sql`${change} where ${address} in (
    select ${address} from ${sql.table(table)} where ${condition} limit ${sql.lit(ROWS_AT_A_TIME)}
  )`.compile(db);
  for (let all = 0; ; ) {
    const { numAffectedRows = 0n } = await db.executeQuery(statement);
    if (numAffectedRows === 0n) return all;
    all += Number(numAffectedRows);
    await nextTurn();
  }
}
