import { existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { platformWithoutDisk } from '../../../config/platform.ts';
import { isPostgres } from '../../../store/database-location.ts';
import { type Check, type Finding, passed, skipped, warning } from '../check.ts';

/** File systems whose content is lost when a machine or container is replaced, by statfs(2)'s type on Linux. */
const SHORT_LIVED = new Map([
  [0x01021994, 'in memory (tmpfs)'],
  [0x858458f6, 'in memory (ramfs)'],
  [0x794c7630, "in the container's own layer (overlayfs)"],
]);

export const durableDisk: Check = {
  name: 'durable-disk',
  category: 'database',
  about: 'The SQLite file survives a restart and a deployment.',
  atStart: true,
  needs: 'settings',
  run: ({ env, config: { database } }) =>
    isPostgres(database) ? skipped('the database is Postgres') : diskOf(database.path, env),
};

function diskOf(path: string, env: Record<string, string | undefined>): Finding {
  const platform = platformWithoutDisk(env);
  const place = platform ? `on ${platform}'s temporary disk` : SHORT_LIVED.get(fileSystemOf(path));
  if (!place) return passed(path);
  return warning(
    `The database ${path} is ${place}: requests and API keys are lost when it is replaced.`,
    'Set DATABASE_URL to a file on a persistent volume, or to Postgres.',
  );
}

function fileSystemOf(path: string): number {
  if (process.platform !== 'linux') return 0;
  const folder = dirname(resolve(path));
  return existsSync(folder) ? statfsSync(folder).type : fileSystemOf(folder);
}
