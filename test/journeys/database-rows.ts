import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { WORKSPACE_TABLES } from '../../src/store/tables.ts';
import { workspaceNamed } from '../installations/ids.ts';
import type { World } from './world.ts';

const opened = new WeakMap<World['config'], Database>();

/** The database of the app, opened once per test: many tests read it until something is in it. */
export function databaseOf({ config }: Pick<World, 'config'>): Database {
  const already = opened.get(config);
  if (already) return already;
  const db = openDatabase(config.database);
  opened.set(config, db);
  onTestFinished(() => db.destroy());
  return db;
}

/** Counts the rows of a workspace or organization: in the named tables, or in all of them. */
export async function rowsOf(
  world: World,
  id: string,
  tables: readonly (typeof WORKSPACE_TABLES)[number][] = WORKSPACE_TABLES,
): Promise<number> {
  const db = databaseOf(world);
  let rows = 0;
  for (const table of tables) {
    const counted = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .where('workspaceId', '=', workspaceNamed(id))
      .executeTakeFirstOrThrow();
    rows += counted.rows;
  }
  return rows;
}

/** Adds copies of the only request, a minute older each. */
export async function copyRequests(world: World, count: number): Promise<void> {
  const db = databaseOf(world);
  const row = await db.selectFrom('requests').selectAll().executeTakeFirstOrThrow();
  const copies = Array.from({ length: count }, (_, index) => ({
    ...row,
    id: randomUUID(),
    reference: `DR-COPY${index}`,
    createdAt: new Date(row.createdAt.getTime() - (index + 1) * 60_000),
  }));
  await db.insertInto('requests').values(copies).execute();
}

/** How many jobs, or jobs of one kind, are due by then (ms since 1970) and not done. */
export async function dueJobs(world: World, now: number, kind?: string): Promise<number> {
  const unfinished = await databaseOf(world)
    .selectFrom('jobs')
    .select(['kind', 'runAt'])
    .where('finishedAt', 'is', null)
    .execute();
  return unfinished.filter((job) => Number(job.runAt) <= now && job.kind === (kind ?? job.kind))
    .length;
}
