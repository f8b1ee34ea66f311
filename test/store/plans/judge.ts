import type { RecordedSql } from './recorded-sql.ts';

/** Rows of one batch, and those that are passed over on the way to them. */
export const MOST_ROWS = 1_000;

/** A statement whose plan is not good enough, and why. */
export type Finding = { sql: string; finding: string };

/**
 * Statements that walk over an index, told by a part of their text: whose requests are the newest, from the
 * index's end up to a limit; and which waiting jobs were scheduled by a clock that has been set back since.
 * Both are asked at the start, and not while somebody waits.
 */
const WALKS_AN_INDEX = [
  'select "workspace_id" from "requests" order by "created_at" desc limit',
  `update "jobs" set run_at = `,
];
export const mayWalkAnIndex = ({ sql }: RecordedSql) =>
  WALKS_AN_INDEX.some((text) => sql.startsWith(text));

/** Statements that have a plan. */
export const hasPlan = ({ sql }: RecordedSql) =>
  /^\s*(select|insert|update|delete|with)\b/i.test(sql);
