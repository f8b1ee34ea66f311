import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { CLOCKS_DIFFER_MS } from '../clock.ts';
import type { Database } from './database.ts';
import { engineOf } from './engine.ts';
import type { Schema } from './schema.ts';

/**
 * Rows that one statement reads or changes where there may be very many. SQLite runs in this process and
 * holds up everything else for as long as a statement takes: some ms for so many.
 */
export const ROWS_AT_A_TIME = 250;

type Table = keyof Schema;

/**
 * Deletes rows in batches. Each is committed by itself: what is deleted stays deleted if the process ends.
 *
 * @param condition which rows, as SQL; may end with an order
 * @returns how many there were
 */
export function deleteInBatches(
  db: Database,
  table: Table,
  condition: RawBuilder<unknown>,
): Promise<number> {
  return inBatches(db, table, { change: sql`delete from ${sql.table(table)}`, condition });
}

/**
 * Changes rows in batches, as `deleteInBatches` deletes them.
 *
 * @param values as SQL, after which the condition no longer holds
 */
export function updateInBatches(
  db: Database,
  table: Table,
  { values, condition }: { values: RawBuilder<unknown>; condition: RawBuilder<unknown> },
): Promise<number> {
  const change = sql`update ${sql.table(table)} set ${values}`;
  return inBatches(db, table, { change, condition });
}

/**
 * Lets rows count from now whose moment lies ahead: it was written by a clock that has been set back since,
 * and they would be kept longer than promised.
 *
 * @param column that holds the moment
 * @param condition what else holds for the rows
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

/** What finds a row at once, whatever its key is. */
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
