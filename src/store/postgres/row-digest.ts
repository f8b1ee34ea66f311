import { createHash } from 'node:crypto';

export type Row = Record<string, unknown>;

/** Rows of a table, told from others whatever their order. */
export type RowDigest = {
  add(row: Row): void;
  /** How many there were, and a number that other rows would not have. */
  result(): string;
};

const BITS = 256n;

export function createRowDigest(): RowDigest {
  let rows = 0;
  let sum = 0n;
  return {
    add(row) {
      rows += 1;
      // Columns come in each database's own order.
      const columns = Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1));
      const hash = createHash('sha256').update(JSON.stringify(columns)).digest('hex');
      sum = BigInt.asUintN(Number(BITS), sum + BigInt(`0x${hash}`));
    },
    result: () => `${rows}/${sum.toString(16)}`,
  };
}
