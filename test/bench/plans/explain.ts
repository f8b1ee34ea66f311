import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { z } from 'zod';
import type { Database } from '../../../src/store/database.ts';

export type Recorded = { sql: string; values: readonly unknown[] };

/** @returns the statements that reach Postgres while this runs */
export async function recordedDuring(run: () => Promise<unknown>): Promise<Recorded[]> {
  const recorded: Recorded[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [text, values] = args;
    if (typeof text === 'string') {
      recorded.push({ sql: text, values: Array.isArray(values) ? values : [] });
    }
    return Reflect.apply(query, this, args);
  } as typeof query;
  try {
    await run();
  } finally {
    pg.Client.prototype.query = query;
  }
  return recorded.filter(({ sql }) => /^\s*(?:select|insert|update|delete|with)\b/i.test(sql));
}

const step = z.looseObject({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  'Index Name': z.string().optional(),
  'Actual Rows': z.number().default(0),
  'Actual Loops': z.number().default(0),
  'Rows Removed by Filter': z.number().default(0),
  'Shared Hit Blocks': z.number().default(0),
  'Shared Read Blocks': z.number().default(0),
  get Plans() {
    return z.array(step).default([]);
  },
});
type Step = z.infer<typeof step>;
const explained = z.tuple([
  z.looseObject({
    'QUERY PLAN': z.tuple([z.looseObject({ Plan: step, 'Execution Time': z.number() })]),
  }),
]);

export type Plan = {
  sql: string;
  /** How each table is read, for example `jobs: jobs_to_claim`. */
  reads: string[];
  /** The most rows that one step read, with those that it filtered out. */
  rows: number;
  /** Pages of 8 KB, in memory or on disk. */
  pages: number;
  ms: number;
  /** Tables that were read as a whole. */
  scanned: string[];
};

class RolledBack extends Error {}

/** Executes a statement in a transaction that is rolled back, and says how Postgres did it. */
export async function explain(db: Database, { sql, values }: Recorded): Promise<Plan> {
  let plan: Plan | undefined;
  const query = CompiledQuery.raw(`explain (analyze, buffers, format json) ${sql}`, [...values]);
  const rolledBack = db.transaction().execute(async (tx) => {
    const { rows } = await tx.executeQuery(query);
    const [{ 'QUERY PLAN': found }] = explained.parse(rows);
    const steps = stepsOf(found[0].Plan);
    const reads = steps.filter((one) => isRead(one));
    plan = {
      sql,
      reads: [...new Set(reads.map(describe))],
      rows: Math.max(0, ...reads.map(rowsOf)),
      pages: found[0].Plan['Shared Hit Blocks'] + found[0].Plan['Shared Read Blocks'],
      ms: found[0]['Execution Time'],
      scanned: reads.filter(isScanOfTable).map(describe),
    };
    throw new RolledBack();
  });
  await rolledBack.catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error;
  });
  if (!plan) throw new Error('nothing was explained');
  return plan;
}

const stepsOf = (one: Step): Step[] => [one, ...one.Plans.flatMap(stepsOf)];
const isRead = (one: Step) => one['Node Type'].includes('Scan');
/** There are as many replicas as processes. */
const isScanOfTable = (one: Step) =>
  one['Node Type'] === 'Seq Scan' && one['Relation Name'] !== 'replicas';
const rowsOf = (one: Step) =>
  (one['Actual Rows'] + one['Rows Removed by Filter']) * one['Actual Loops'];
const describe = (one: Step) =>
  one['Index Name'] ?? `${one['Node Type']} of ${one['Relation Name'] ?? 'rows'}`;
