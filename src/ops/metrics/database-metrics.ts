import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { ATTEMPT_ENDS, type AttemptEnd } from '../../jobs/runner.ts';
import type { Backlog, Waiting } from '../../store/backlog.ts';
import { DATABASE_STEPS, type OnStep } from '../../store/database-errors.ts';
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

/** Requests and jobs that wait. */
export function createWorkMetrics(registers: Registry[]) {
  let source: Backlog | undefined;
  let now = () => new Date();

  waitingGauges(registers, {
    label: 'state',
    count: 'design_request_requests',
    oldest: 'design_request_requests_oldest_seconds',
    of: 'Requests that have not ended, by state',
    read: async () => source?.openRequests(),
    now: () => now(),
  });
  waitingGauges(registers, {
    label: 'kind',
    count: 'design_request_jobs_due',
    oldest: 'design_request_jobs_oldest_due_seconds',
    of: 'Jobs that should have started, by kind',
    read: async () => source?.dueJobs(now()),
    now: () => now(),
  });
  const attempts = new Counter({
    name: 'design_request_job_attempts_total',
    help: 'Attempts at jobs, by kind and how they ended',
    labelNames: ['kind', 'outcome'],
    registers,
  });

  return {
    /** @param kinds of the jobs that this process runs */
    jobKinds(kinds: readonly string[]) {
      // Prometheus doesn't notice the first increase of a series that appears with it.
      for (const kind of kinds)
        for (const outcome of ATTEMPT_ENDS) attempts.inc({ kind, outcome }, 0);
    },
    attempted: (kind: string, outcome: AttemptEnd) => attempts.inc({ kind, outcome }),
    /** @param read at each scrape; while it fails, these metrics are absent */
    backlog(read: Backlog, clock: () => Date) {
      source = read;
      now = clock;
    },
  };
}

/** Two gauges from one read: how many wait, and for how long the oldest has. */
function waitingGauges(
  registers: Registry[],
  what: {
    label: string;
    count: string;
    oldest: string;
    of: string;
    read: () => Promise<readonly Waiting[] | undefined>;
    now: () => Date;
  },
): void {
  const { label, of } = what;
  let reading: Promise<readonly Waiting[]> | undefined;
  /** One read for both gauges, which are collected at the same time. */
  const read = () => {
    reading ??= what
      .read()
      // The failure is counted with the statements of the database, and the other metrics matter all the more.
      .catch(() => undefined)
      .then((waiting = []) => waiting)
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  new Gauge({
    name: what.count,
    help: of,
    labelNames: [label],
    registers,
    async collect() {
      const waiting = await read();
      this.reset();
      for (const { name, count } of waiting) this.set({ [label]: name }, count);
    },
  });
  new Gauge({
    name: what.oldest,
    help: `${of}: the age of the oldest`,
    labelNames: [label],
    registers,
    async collect() {
      const waiting = await read();
      this.reset();
      for (const { name, oldestAt } of waiting) {
        const ms = oldestAt ? what.now().getTime() - oldestAt.getTime() : 0;
        this.set({ [label]: name }, Math.max(0, ms) / 1_000);
      }
    },
  });
}
