import type { RecordedSql } from './recorded-sql.ts';

/** The rows of one batch, and those skipped on the way to them. */
export const MOST_ROWS = 1_000;

/** A statement whose plan isn't good enough, and why. */
export type Finding = { sql: string; finding: string };

/**
 * Statements that may walk over an index, recognized by how they begin: the metrics count what waits in an index of only
 * that, and a restored backup changes all of it.
 */
const WALKS_AN_INDEX = [
  'select kind as name, count(*)',
  'select state as name, count(*)',
  'update "requests" set "state" = $1, "problem" = $2, "updated_at" = $3, "revision" = ',
];
export const mayWalkAnIndex = ({ sql }: RecordedSql) =>
  WALKS_AN_INDEX.some((text) => sql.startsWith(text));

/** A claim sorts the few jobs that it has read in the order of their index. */
export const maySort = ({ sql }: RecordedSql) => sql.trimStart().startsWith('with ours as');

/** Statements that have a plan. */
export const hasPlan = ({ sql }: RecordedSql) =>
  /^\s*(select|insert|update|delete|with)\b/i.test(sql);
