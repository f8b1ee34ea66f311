import {
  CamelCasePlugin,
  type Kysely,
  type PluginTransformQueryArgs,
  PostgresAdapter,
  type RootOperationNode,
  type UnknownRow,
} from 'kysely';
import { z } from 'zod';
import type { Log } from '../ops/logging.ts';
import type { Schema } from './tables.ts';

type Row = { table: keyof Schema; id: string | number; workspace: string };

export type ReadRow = ReturnType<typeof createRowReader>;

/** After this many rows, all of them may be logged again. */
const MAX_NAMED = 1_000;

/** For rows that are damaged, or that a newer version has written. */
export function createRowReader(log?: Pick<Log, 'error'>) {
  const named = new Set<string>();
  /** @returns undefined without a text, or if it can't be read: the row is then named in the log once */
  return <Value>(
    { table, id, workspace }: Row,
    type: z.ZodType<Value>,
    text: string | undefined,
    parse: (text: string) => unknown = JSON.parse,
  ): Value | undefined => {
    if (text === undefined) return undefined;
    try {
      return type.parse(parse(text));
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
class ColumnsPlugin extends CamelCasePlugin {
  /** Done while a statement is compiled instead, which needs no copy of each of its nodes. */
  override transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return node;
  }

  /** Public, for the compilers of both databases. It remembers each name. */
  override snakeCase(name: string): string {
    return super.snakeCase(name);
  }

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

export const columns = new ColumnsPlugin();

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
export const inLockOrder = <
  Key extends string,
  Row extends { [key in Key]?: string | null | undefined },
>(
  rows: readonly Row[],
  key: Key,
): Row[] =>
  rows.toSorted((one, other) => {
    const [a, b] = [one[key] ?? '', other[key] ?? ''];
    return Number(a > b) - Number(a < b);
  });
