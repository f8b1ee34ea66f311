import { existsSync, renameSync } from 'node:fs';
import { DATABASE_PARTS } from './path.ts';
import { makePrivate } from './private-files.ts';

/**
 * Keeps an SQLite database, damaged or not, under another name.
 *
 * @param path where it really lies (see `locateSqlite`)
 * @param why a word of the new name
 * @returns the new name, or undefined where there is no database
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
