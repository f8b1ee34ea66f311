import { z } from 'zod';
import type { Log } from '../ops/logging.ts';
import type { Schema } from './tables.ts';

type Row = { table: keyof Schema; id: string | number; workspace: string };

/** @returns undefined, and names the row in the log once, if the function throws: it can't be read */
export type ReadRow = <Value>(row: Row, read: () => Value) => Value | undefined;

/** After this many rows, all of them may be logged again. */
const MAX_NAMED = 1_000;

/** For rows that are damaged, or that a newer version has written: they are left out, and all others are read. */
export function createRowReader(log?: Pick<Log, 'error'>): ReadRow {
  const named = new Set<string>();
  return ({ table, id, workspace }, read) => {
    try {
      return read();
    } catch {
      const key = `${table}/${workspace}/${id}`;
      if (named.size >= MAX_NAMED) named.clear();
      // The error might quote what people typed.
      if (!named.has(key)) log?.error({ table, row: id, workspace }, 'a row can’t be read');
      named.add(key);
      return undefined;
    }
  };
}

export const anyObject = z.looseObject({});
