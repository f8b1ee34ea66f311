/**
 * Sorts rows that are written with one statement or in one transaction. Two processes that lock the same rows in opposite
 * orders would wait for each other, until Postgres cancels one of them after a second.
 *
 * @param keyOf what identifies a row
 */
export const inLockOrder = <Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] =>
  rows.toSorted((one, other) => compare(keyOf(one), keyOf(other)));

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
