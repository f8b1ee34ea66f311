import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { onTestFinished, vi } from 'vitest';

/** A statement as it reached the database, with the values of its first execution. */
export type RecordedSql = { sql: string; values: readonly unknown[] };

/** Records every statement that reaches an SQLite file or Postgres from now on, each text once. */
export function recordSql(): { recorded(): RecordedSql[] } {
  const statements = new Map<string, readonly unknown[]>();
  const note = (sql: unknown, values: readonly unknown[]) => {
    if (typeof sql === 'string' && !statements.has(sql)) statements.set(sql, values);
  };
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
  const query = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => {
    prepare.mockRestore();
    query.mockRestore();
  });
  return {
    recorded() {
      for (const [sql] of prepare.mock.calls) note(sql, []);
      for (const [sql, values] of query.mock.calls as unknown[][]) {
        note(sql, Array.isArray(values) ? values : []);
      }
      return [...statements].map(([sql, values]) => ({ sql, values }));
    },
  };
}
