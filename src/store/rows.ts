import { CamelCasePlugin, type Kysely, PostgresAdapter, type UnknownRow } from 'kysely';
import { z } from 'zod';
import type { Log } from '../ops/logging.ts';
import type { Schema } from './tables.ts';

type Row = { table: keyof Schema; id: string | number; workspace: string };

/** Undefined if `read` throws: the row can't be read, and is named in the log once. */
export type ReadRow = <Value>(row: Row, read: () => Value) => Value | undefined;

/** After this many rows, all of them may be logged again. */
const MAX_NAMED = 1_000;

/** Leaves out rows that are damaged, or that a newer version has written. */
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

const IS_TIME = /(At|Until|Since)$/;

/** Snake case, null, and ms become camel case, undefined, and a `Date` (see `storable`). */
export class ColumnsPlugin extends CamelCasePlugin {
  protected override mapRow(row: UnknownRow): UnknownRow {
    const mapped: UnknownRow = {};
    for (const [column, value] of Object.entries(row)) {
      const name = this.camelCase(column);
      const isTime = typeof value === 'number' && IS_TIME.test(name);
      if (value !== null) mapped[name] = isTime ? new Date(value) : value;
    }
    return mapped;
  }
}

export type Engine = 'sqlite' | 'postgres';

/** For the few statements that differ. */
export function engineOf<Tables>(db: Kysely<Tables>): Engine {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}

/**
 * Times in ms since 1970. NUL becomes U+FFFD, as lone surrogates do in both databases: Postgres
 * refuses it in text, and Node's SQLite driver stops reading at it.
 */
export function storable(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  return typeof value === 'string' ? value.replaceAll('\u0000', '\ufffd') : value;
}

/** For rows of one transaction: in opposite orders, two would deadlock until Postgres ends one. */
export const inLockOrder = <Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] =>
  rows.toSorted((one, other) => compare(keyOf(one), keyOf(other)));

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
