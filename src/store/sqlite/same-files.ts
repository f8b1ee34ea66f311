import { statSync } from 'node:fs';
import { DatabaseError } from '../database-error.ts';
import { lockPathOf } from './path.ts';

/**
 * Remembers which files an open database consists of. SQLite goes on writing to them wherever they are moved, and even
 * once they are deleted, but the next start opens what is at the path then.
 *
 * @param path as configured, which may lead to other files if it is a link
 * @param real from `locateSqlite`, of a database that is open
 * @returns a function that throws a DatabaseError once other files are there, or none
 */
export function rememberFiles(path: string, real: string): () => void {
  const paths = [path, `${real}-wal`, lockPathOf(real)];
  const opened = paths.map(identityOf);
  return () => {
    const changed = paths.findIndex(
      (one, index) => opened[index] && identityOf(one) !== opened[index],
    );
    if (changed === -1) return;
    throw new DatabaseError(
      `${paths[changed]} was moved, replaced, or deleted while the app runs, so whatever is stored now would be lost. Move it back, or start the app again with the right DATABASE_URL.`,
    );
  };
}

/** Device and inode; undefined if there is no file. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}
