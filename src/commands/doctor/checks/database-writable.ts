import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { sql } from 'kysely';
import type { Database } from '../../../store/database.ts';
import { isPostgres } from '../../../store/database-location.ts';
import { type Check, type Finding, failed, passed, skipped, warning } from '../check.ts';

export const databaseWritable: Check = {
  name: 'database-writable',
  category: 'database',
  about:
    'The database accepts changes, and its disk has space. This is checked without making a change.',
  needs: 'settings',
  async run({ config, database }) {
    if (!isPostgres(config.database)) return fileWritable(config.database.path);
    const db = await database().catch(() => undefined);
    return db ? postgresWritable(db) : skipped("the database can't be opened");
  },
};

function fileWritable(path: string): Finding {
  const folder = existingFolder(path);
  if (!statSync(folder).isDirectory()) {
    return failed(
      `${folder} is not a folder, so ${path} can't be written.`,
      'Correct DATABASE_URL.',
    );
  }
  const paths = [path, `${path}-wal`, folder].filter((one) => existsSync(one));
  const refused = paths.filter((one) => !isWritable(one));
  if (refused.length === 0) return spaceFor(path, statfsSync(folder));
  return failed(
    `This user may not write to ${refused.join(', ')}.`,
    'Run the app as the owner of the database, or give this user the files: chown.',
  );
}

/** As in the alert DiskFilling. */
const FREE_ENOUGH = 0.1;

export function spaceFor(
  path: string,
  { bavail, blocks }: { bavail: number; blocks: number },
): Finding {
  if (bavail / blocks >= FREE_ENOUGH || blocks === 0) return passed(path);
  const percent = Math.floor((100 * bavail) / blocks);
  return warning(
    `Only ${percent} % of the disk with ${path} is free. Once it is full, nothing can be stored.`,
    'Delete what isn’t needed, such as old backups, or enlarge the disk.',
  );
}

/** The folder of the file, or what exists in place of it or above it. */
function existingFolder(path: string): string {
  const folder = dirname(resolve(path));
  return existsSync(folder) ? folder : existingFolder(folder);
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function postgresWritable(db: Database): Promise<Finding> {
  try {
    const { rows } = await sql<{ isReadOnly: boolean; mayCreate: boolean }>`select
      current_setting('transaction_read_only') = 'on' as "isReadOnly",
      has_schema_privilege(current_schema(), 'create') as "mayCreate"`.execute(db);
    const [found] = rows;
    if (found?.isReadOnly) {
      return failed(
        'This Postgres only allows reading.',
        'Name the primary in DATABASE_URL, not a standby.',
      );
    }
    if (!found?.mayCreate) {
      return failed(
        'The user in DATABASE_URL may not create tables there.',
        'In Postgres: GRANT CREATE ON SCHEMA public TO <user>',
      );
    }
    return passed('Postgres accepts changes');
  } catch {
    return skipped("the database doesn't answer");
  }
}
