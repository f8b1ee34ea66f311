import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { sql } from 'kysely';
import { platformWithoutDisk } from '../../config/platform.ts';
import { OperatorError } from '../../ops/operator-error.ts';
import { type Database, pendingMigrations, requireReachable } from '../../store/database.ts';
import { DatabaseError, isPostgres, nameOf } from '../../store/database-location.ts';
import { riskySettings } from '../../store/postgres/pool.ts';
import { createStores } from '../../store/stores.ts';
import { migrateAlone } from '../database.ts';
import {
  type Check,
  type Finding,
  failed,
  passed,
  SkippedError,
  skipped,
  warning,
} from './check.ts';

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

export function spaceFor(path: string, { bavail, blocks }: { bavail: number; blocks: number }) {
  if (bavail / blocks >= FREE_ENOUGH || blocks === 0) return passed(path);
  const percent = Math.floor((100 * bavail) / blocks);
  return warning(
    `Only ${percent}% of the disk with ${path} is free. Once it is full, nothing can be stored.`,
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
  const { rows } = await answerOf(
    sql<{ isReadOnly: boolean; mayCreate: boolean }>`select
      current_setting('transaction_read_only') = 'on' as "isReadOnly",
      has_schema_privilege(current_schema(), 'create') as "mayCreate"`.execute(db),
  );
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
}

const answerOf = <Value>(asked: Promise<Value>): Promise<Value> =>
  asked.catch(() => {
    throw new SkippedError("the database doesn't answer");
  });

/** File systems whose content is lost when a machine or container is replaced, by statfs(2)'s type on Linux. */
const SHORT_LIVED = new Map([
  [0x01021994, 'in memory (tmpfs)'],
  [0x858458f6, 'in memory (ramfs)'],
  [0x794c7630, "in the container's own layer (overlayfs)"],
]);

function diskOf(path: string, env: Record<string, string | undefined>): Finding {
  const platform = platformWithoutDisk(env);
  const { type } = statfsSync(existingFolder(path));
  const inPlace = process.platform === 'linux' ? SHORT_LIVED.get(type) : undefined;
  const place = platform ? `on ${platform}'s temporary disk` : inPlace;
  if (!place) return passed(path);
  return warning(
    `The database ${path} is ${place}: requests and API keys are lost when it is replaced.`,
    'Set DATABASE_URL to a file on a persistent volume, or to Postgres.',
  );
}

export const databaseChecks: readonly Check[] = [
  {
    name: 'database-reachable',
    about: 'The database can be opened and answers.',
    async run({ location, openDatabase }) {
      const name = nameOf(location);
      try {
        const db = await openDatabase();
        if (db === undefined) return passed(`${name} will be created at the first start`);
        await requireReachable(db, location);
        return passed(name);
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        return failed(error.message, 'Correct DATABASE_URL, or start the database.');
      }
    },
  },
  {
    name: 'database-writable',
    about:
      'The database accepts changes, and its disk has space. This is checked without making a change.',
    run: async ({ location, database }) =>
      isPostgres(location) ? postgresWritable(await database()) : fileWritable(location.path),
  },
  {
    name: 'database-migrated',
    about: 'The database has every table of this version.',
    async run({ database }) {
      const pending = await pendingMigrations(await database()).catch((error: unknown) => error);
      if (pending instanceof DatabaseError) {
        return failed(
          'The database was made by version 0.1.0 or 0.2.0 of the app.',
          'Set DATABASE_URL to a new one, and connect each workspace again.',
        );
      }
      if (!Array.isArray(pending)) return skipped("the database doesn't answer");
      if (pending.length === 0) return passed('up to date');
      return warning(
        `These migrations have not run: ${pending.join(', ')}.`,
        'Start the app, which runs them, or: npm run app -- migrate',
      );
    },
    repair: async ({ location }) => `migrated: ${(await migrateAlone(location)).join(', ')}`,
  },
  {
    name: 'durable-disk',
    about: 'The SQLite file survives a restart and a deployment.',
    atStart: true,
    run: ({ location, env }) =>
      isPostgres(location) ? skipped('the database is Postgres') : diskOf(location.path, env),
  },
  /** The app itself warns about this at each start. */
  {
    name: 'durable-postgres',
    about: 'Postgres has written to its disk what it has confirmed.',
    async run({ location, database }) {
      if (!isPostgres(location)) return skipped('the database is SQLite');
      const off = await answerOf(riskySettings(await database()));
      if (off.length === 0) return passed('Postgres waits for its disk');
      return warning(
        `Postgres may lose acknowledged data: ${off.join(', ')} is off.`,
        'Turn it on in postgresql.conf, and reload.',
      );
    },
  },
  {
    name: 'keyring',
    about: 'ENCRYPTION_KEYS has every key with which something is encrypted.',
    async run({ config, database }) {
      const db = await database();
      const pending = await pendingMigrations(db).catch(() => undefined);
      if (pending?.length !== 0) return skipped("the database isn't migrated");
      try {
        const { keyring } = createStores(db, config.encryptionKeys);
        const lost = await keyring.require(config.lostKeyIds);
        if (lost === 0) return passed('complete');
        return warning(
          `${lost} API keys or tokens are encrypted with a key that is marked as lost.`,
          'Their workspaces have to connect or install again.',
        );
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        const [problem = '', ...others] = error.message.split('\n\n');
        return failed(
          `${problem} ${others[0]?.trim() ?? ''}.`,
          others.slice(1).join(' ') || 'See docs/operations.md.',
        );
      }
    },
  },
];
