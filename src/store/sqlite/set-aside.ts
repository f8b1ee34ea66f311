import { existsSync, renameSync } from 'node:fs';
import { DATABASE_PARTS } from './path.ts';
import { makePrivate } from './private-files.ts';

/**
 * Renames an SQLite database with its log.
 *
 * @param path from `locateSqlite`
 * @param why a part of the new name
 * @returns the new path, or undefined if there is no database
 */
export function setAside(path: string, why: string, now: Date): string | undefined {
  if (!existsSync(path)) return undefined;
  const keptAs = `${path}.${why}-${now.toISOString().replaceAll(':', '-')}`;
  for (const part of DATABASE_PARTS) {
    if (!existsSync(`${path}${part}`)) continue;
    makePrivate(`${path}${part}`);
    renameSync(`${path}${part}`, `${keptAs}${part}`);
  }
  return keptAs;
}
