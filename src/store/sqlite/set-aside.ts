import { existsSync, renameSync } from 'node:fs';

/** Beside an SQLite database lie its write-ahead log and its index, which belong to no other. */
export const DATABASE_PARTS = ['', '-wal', '-shm'] as const;

/**
 * Keeps an SQLite database, damaged or not, under another name.
 *
 * @param why a word of the new name
 * @returns the new name, or undefined where there is no database
 */
export function setAside(path: string, why: string, now: Date): string | undefined {
  if (!existsSync(path)) return undefined;
  const keptAs = `${path}.${why}-${now.toISOString().replaceAll(':', '-')}`;
  for (const part of DATABASE_PARTS) {
    if (existsSync(`${path}${part}`)) renameSync(`${path}${part}`, `${keptAs}${part}`);
  }
  return keptAs;
}
