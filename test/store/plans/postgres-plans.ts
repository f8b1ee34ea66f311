import { CompiledQuery, type Kysely } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../../../src/store/tables.ts';
import { LARGE_TABLES } from '../../../src/store/workspace-rows.ts';
import { type Finding, hasPlan, MOST_ROWS, mayWalkAnIndex } from './judge.ts';
import type { RecordedSql } from './recorded-sql.ts';

/** What Postgres reports about an executed step of a plan. */
const step = z.looseObject({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  'Index Name': z.string().optional(),
  // Absent for a step that was only planned.
  'Actual Rows': z.number().default(0),
  'Actual Loops': z.number().default(0),
  'Rows Removed by Filter': z.number().optional(),
  get Plans() {
    return z.array(step).optional();
  },
});
type Step = z.infer<typeof step>;
const explained = z.tuple([
  z.looseObject({ 'QUERY PLAN': z.tuple([z.looseObject({ Plan: step })]) }),
]);

class RolledBack extends Error {}

/**
 * The statements that read more of a large table than they need. Each is executed with its recorded values
 * and rolled back.
 */
export async function badPlansOnPostgres(
  db: Kysely<Schema>,
  statements: readonly RecordedSql[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const statement of statements.filter(hasPlan)) {
    const { sql, values } = statement;
    // An existing row can't be inserted again.
    const how = sql.startsWith('insert') ? 'format json' : 'analyze, timing off, format json';
    const explain = CompiledQuery.raw(`explain (${how}) ${sql}`, [...values]);
    const work = db.transaction().execute(async (tx) => {
      const { rows } = await tx.executeQuery(explain);
      const [{ 'QUERY PLAN': plan }] = explained.parse(rows);
      const mayRead = mayWalkAnIndex(statement) ? Number.POSITIVE_INFINITY : MOST_ROWS;
      for (const finding of judge(plan[0].Plan, mayRead)) findings.push({ sql, finding });
      throw new RolledBack();
    });
    await work.catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
  }
  return findings;
}

function judge(one: Step, mayRead: number): string[] {
  const type = one['Node Type'];
  const table = LARGE_TABLES.find((large) => large === one['Relation Name']);
  const index = one['Index Name'] ?? '';
  const read = (one['Actual Rows'] + (one['Rows Removed by Filter'] ?? 0)) * one['Actual Loops'];
  const isBad = table !== undefined && (type === 'Seq Scan' || read > mayRead);
  const own = isBad && type !== 'ModifyTable' ? [`${type} ${index} of ${table}: ${read} rows`] : [];
  return [...own, ...(one.Plans ?? []).flatMap((inner) => judge(inner, mayRead))];
}
