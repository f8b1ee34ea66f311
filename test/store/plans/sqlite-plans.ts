import { DatabaseSync } from 'node:sqlite';
import { LARGE_TABLES } from '../../../src/store/workspace-rows.ts';
import { type Finding, hasPlan, maySort, mayWalkAnIndex } from './judge.ts';
import type { RecordedSql } from './recorded-sql.ts';

/** Claimed jobs, and failed ones, of which there are always few. */
const FEW_ROWS = ['jobs_running', 'jobs_failed'];
/** What SQLite prints for reading a whole table or index. */
const SCAN = /^SCAN (?<table>\w+)(?: USING (?:COVERING )?INDEX (?<index>\w+))?/;
const SORT = 'USE TEMP B-TREE FOR ORDER BY';

/** The statements whose plans in this file read more of a large table than they need. */
export function badPlansOnSqlite(path: string, statements: readonly RecordedSql[]): Finding[] {
  const file = new DatabaseSync(path);
  try {
    // As in the app.
    file.exec('PRAGMA automatic_index = OFF');
    return statements.filter(hasPlan).flatMap((statement) => {
      const { sql } = statement;
      const plan = file.prepare(`explain query plan ${sql}`).all();
      const findings = judge(
        plan.map(({ detail }) => String(detail)),
        { mayWalk: mayWalkAnIndex(statement), maySort: maySort(statement) },
      );
      return findings.map((finding) => ({ sql, finding }));
    });
  } finally {
    file.close();
  }
}

function judge(
  plan: readonly string[],
  { mayWalk, maySort }: { mayWalk: boolean; maySort: boolean },
): string[] {
  const readsLargeTable = plan.some((line) => LARGE_TABLES.some((table) => line.includes(table)));
  return plan.filter((line) => {
    if (line === SORT) return readsLargeTable && !maySort;
    const { table = '', index = '' } = SCAN.exec(line)?.groups ?? {};
    const isLarge = LARGE_TABLES.some((large) => large === table);
    return isLarge && !FEW_ROWS.includes(index) && !(index && mayWalk);
  });
}
