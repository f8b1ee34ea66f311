import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { DATABASE_STEPS, type OnStep } from '../../store/database-steps.ts';
import { SEAL_ERROR_REASONS, type SealErrorReason } from '../../store/encryption/sealed-box.ts';
import { lastBackupOf } from '../../store/sqlite/path.ts';

/** From a read out of memory to the timeout of a statement on Postgres, in seconds. */
const STATEMENT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];

/** How long the database takes, and for SQLite whether its disk fills up and its backups are made. */
export function createDatabaseMetrics(registers: Registry[]) {
  const durations = new Histogram({
    name: 'design_request_database_seconds',
    help: 'Time that the database took, including waits for a lock or a connection, by step',
    labelNames: ['step'],
    buckets: STATEMENT_SECONDS,
    registers,
  });
  const errors = new Counter({
    name: 'design_request_database_errors_total',
    help: 'Steps that the database failed, by step',
    labelNames: ['step'],
    registers,
  });
  for (const step of DATABASE_STEPS) errors.inc({ step }, 0);
  const undecryptable = new Counter({
    name: 'design_request_decryption_errors_total',
    help: 'API keys and tokens that were needed and can’t be decrypted with ENCRYPTION_KEYS, by reason',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of SEAL_ERROR_REASONS) undecryptable.inc({ reason }, 0);
  let file: { path: string; now: () => Date } | undefined;
  /** Absent while it can't be read. */
  const gaugeOfFile = (
    name: string,
    help: string,
    read: (path: string, now: Date) => Promise<number>,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: [],
      registers,
      async collect() {
        const value = file && (await read(file.path, file.now()).catch(() => undefined));
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  gaugeOfFile(
    'design_request_disk_free_ratio',
    'Part of the disk of the SQLite database that is free, from 0 to 1',
    async (path) => {
      const { bavail, blocks } = await statfs(dirname(path));
      return bavail / blocks;
    },
  );
  gaugeOfFile(
    'design_request_backup_age_seconds',
    'Time since npm run app -- backup last copied the SQLite database; absent if it never did',
    async (path, now) => {
      const { mtimeMs } = await stat(lastBackupOf(path));
      return Math.max(0, now.getTime() - mtimeMs) / 1_000;
    },
  );
  return {
    /** @param path of an SQLite database, whose disk and newest backup are looked at with each scrape */
    databaseFile(path: string, now: () => Date) {
      file = { path, now };
    },
    undecryptable: (reason: SealErrorReason) => undecryptable.inc({ reason }),
    databaseStep: ((step, seconds, error) => {
      durations.observe({ step }, seconds);
      if (error !== undefined) errors.inc({ step });
    }) satisfies OnStep,
  };
}
