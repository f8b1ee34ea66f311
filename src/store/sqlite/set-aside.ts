import { existsSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseError } from '../database-error.ts';
import { DATABASE_PARTS, unfinishedRestoreOf } from './path.ts';
import { makePrivate } from './private-files.ts';

/** Why a database was renamed: its rows are in Postgres now, or a restore put a backup in its place. */
type Why = 'moved' | 'before';

/**
 * Renames an SQLite database with its log.
 *
 * @param path from `locateSqlite`
 * @param why a part of the new name
 * @returns the new path, or undefined if there is no database
 */
export function setAside(path: string, why: Why, now: Date): string | undefined {
  if (!existsSync(path)) return undefined;
  const keptAs = `${path}.${why}-${now.toISOString().replaceAll(':', '-')}`;
  for (const part of DATABASE_PARTS) {
    if (!existsSync(`${path}${part}`)) continue;
    makePrivate(`${path}${part}`);
    renameSync(`${path}${part}`, `${keptAs}${part}`);
  }
  return keptAs;
}

/**
 * An empty database in place of one that was set aside would take requests that belong into the other one.
 *
 * @param path from `locateSqlite`
 * @throws DatabaseError if there is no database, but one that was set aside is beside it
 */
export function refuseBesideSetAside(path: string): void {
  if (existsSync(path) || !existsSync(dirname(path))) return;
  const name = basename(path);
  const beside = readdirSync(dirname(path)).sort();
  const newest = (why: Why) => beside.findLast((one) => one.startsWith(`${name}.${why}-`));
  const moved = newest('moved');
  if (moved !== undefined) {
    throw new DatabaseError(
      `The database ${path} was moved to Postgres, and is kept as ${moved}. Set DATABASE_URL to the Postgres database. To begin with an empty one here, move that file to another folder.`,
    );
  }
  const before = newest('before');
  const left = existsSync(unfinishedRestoreOf(path)) ? unfinishedRestoreOf(path) : before;
  if (left === undefined) return;
  throw new DatabaseError(
    `A restore of ${path} didn't end: the database is missing, and ${join(dirname(path), basename(left))} is beside it. Run \`npm run restore\` again${before === undefined ? '' : `, or rename ${before} to ${name}`}.`,
  );
}
