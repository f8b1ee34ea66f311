import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isPostgres } from '../../../store/database-location.ts';
import { DATABASE_PARTS } from '../../../store/sqlite/path.ts';
import { exposed, makePrivate } from '../../../store/sqlite/private-files.ts';
import { type Check, type CheckContext, passed, warning } from '../check.ts';

export const privateFiles: Check = {
  name: 'private-files',
  category: 'settings',
  about: "Only the app's user can read the settings file and the database.",
  needs: 'settings',
  run(context) {
    const paths = exposedOf(context);
    if (paths.length === 0) return passed('private');
    return warning(
      `Other users of this machine can access ${paths.join(', ')}.`,
      `Run: chmod go-rwx ${paths.join(' ')}. If its file system refuses that, mount it with file_mode=0600.`,
    );
  },
  async repair(context) {
    const paths = exposedOf(context);
    for (const path of paths) makePrivate(path);
    return `removed the permissions of others: ${paths.join(', ')}`;
  },
};

/** Files of ours; folders are left out, since they may hold what is meant for others. */
function exposedOf({ config: { database }, envFile }: CheckContext): string[] {
  const parts = isPostgres(database) ? [] : DATABASE_PARTS.map((part) => database.path + part);
  const files = [envFile, ...parts].filter((path) => existsSync(path)).map((path) => resolve(path));
  const folders = new Set(files.map(dirname));
  return exposed(files).filter((path) => !folders.has(path));
}
