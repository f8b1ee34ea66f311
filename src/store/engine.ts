import { type Kysely, PostgresAdapter } from 'kysely';

export type Engine = 'sqlite' | 'postgres';

/** For the few statements that differ. */
export function engineOf<Tables>(db: Kysely<Tables>): Engine {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}

/**
 * A value as both databases store it: times in ms since 1970. Replaces NUL, which Postgres refuses in text, and at which
 * Node's SQLite driver stops reading, with U+FFFD. Both also store U+FFFD for a lone surrogate.
 */
export function storable(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  return typeof value === 'string' ? value.replaceAll('\u0000', '\ufffd') : value;
}

/**
 * Sorts rows that are written with one statement or in one transaction. Two processes that lock the same rows in opposite
 * orders would wait for each other, until Postgres cancels one of them after a second.
 *
 * @param keyOf what identifies a row
 */
export const inLockOrder = <Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] =>
  rows.toSorted((one, other) => compare(keyOf(one), keyOf(other)));

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
