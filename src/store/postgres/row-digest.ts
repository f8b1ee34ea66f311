import { createHash } from 'node:crypto';

export type Row = Record<string, unknown>;

/** A digest of a table's rows that doesn't depend on their order. */
export type RowDigest = {
  add(row: Row): void;
  /** The number of rows, and the digest. */
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
