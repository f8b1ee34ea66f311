import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Counter, Gauge, Histogram, register as ofProcess, Registry } from 'prom-client';
import { ATTEMPT_ENDS, type AttemptEnd } from '../../jobs/runner.ts';
import type { Backlog, Waiting } from '../../store/backlog.ts';
import { DATABASE_STEPS, type OnStep } from '../../store/database-errors.ts';
import { SEAL_ERROR_REASONS, type SealErrorReason } from '../../store/encryption/sealed-box.ts';
import { lastBackupOf } from '../../store/sqlite/path.ts';
import { createServiceMetrics, createSlackMetrics } from './call-metrics.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** See docs/metrics.md. No label names a workspace, person, or card; keys have a fingerprint. */
export function createMetrics() {
  const registry = new Registry();
  const kinds = metricKinds(registry);
  return {
    ...createWorkMetrics(kinds),
    ...createSlackMetrics(kinds),
    ...createServiceMetrics(kinds),
    ...createDatabaseMetrics(kinds),
    /** Everything, and what the process collects about itself, in Prometheus' text format. */
    async text(): Promise<string> {
      await kinds.read();
      return Registry.merge([registry, ofProcess]).metrics();
    },
    contentType: registry.contentType,
  };
}

export type MetricKinds = ReturnType<typeof metricKinds>;

function metricKinds(registry: Registry) {
  const registers = [registry];
  const readers: (() => void | Promise<void>)[] = [];
  return {
    counter: <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
      new Counter({ name, help, labelNames, registers }),
    gauge: <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
      new Gauge({ name, help, labelNames, registers }),
    /** @param buckets in seconds */
    histogram: <Label extends string>(
      name: string,
      help: string,
      buckets: number[],
      labelNames: Label[] = [],
    ) => new Histogram({ name, help, buckets, labelNames, registers }),
    atScrape: (reader: () => void | Promise<void>) => void readers.push(reader),
    read: () => Promise.all(readers.map((reader) => reader())),
  };
}

/** From a read out of memory to the timeout of a statement on Postgres. */
const STATEMENT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];

/** How long the database takes, and for SQLite whether its disk fills up and its backups are made. */
function createDatabaseMetrics({ counter, gauge, histogram, atScrape }: MetricKinds) {
  const durations = histogram(
    'design_request_database_seconds',
    'Time that the database took, including waits for a lock or a connection, by step',
    STATEMENT_SECONDS,
    ['step'],
  );
  const errors = counter(
    'design_request_database_errors_total',
    'Steps that the database failed, by step',
    ['step'],
  );
  for (const step of DATABASE_STEPS) errors.inc({ step }, 0);
  const undecryptable = counter(
    'design_request_decryption_errors_total',
    'API keys and tokens that were needed and can’t be decrypted with ENCRYPTION_KEYS, by reason',
    ['reason'],
  );
  for (const reason of SEAL_ERROR_REASONS) undecryptable.inc({ reason }, 0);
  let file: { path: string; now: () => Date } | undefined;
  /** Absent while it can't be read. */
  const gaugeOfFile = (
    name: string,
    help: string,
    read: (path: string, now: Date) => Promise<number>,
  ) => {
    const metric = gauge(name, help);
    atScrape(async () => {
      const value = file && (await read(file.path, file.now()).catch(() => undefined));
      if (value === undefined) metric.remove();
      else metric.set(value);
    });
  };
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

function createWorkMetrics({ counter, gauge, atScrape }: MetricKinds) {
  /** How many wait, and for how long the oldest has. */
  const waitingGauges = (name: string, oldest: string, help: string, label: string) => {
    const counts = gauge(name, help, [label]);
    const ages = gauge(oldest, `${help}: the age of the oldest`, [label]);
    return async (waiting: Promise<readonly Waiting[]>, now: Date) => {
      // A failure is counted with the statements of the database, and the other metrics matter all the more.
      const read = await waiting.catch(() => []);
      counts.reset();
      ages.reset();
      for (const { name: value, count, oldestAt } of read) {
        counts.set({ [label]: value }, count);
        const ms = oldestAt ? now.getTime() - oldestAt.getTime() : 0;
        ages.set({ [label]: value }, Math.max(0, ms) / 1_000);
      }
    };
  };
  const setRequests = waitingGauges(
    'design_request_requests',
    'design_request_requests_oldest_seconds',
    'Requests that have not ended, by state',
    'state',
  );
  const setJobs = waitingGauges(
    'design_request_jobs_due',
    'design_request_jobs_oldest_due_seconds',
    'Jobs that should have started, by kind',
    'kind',
  );
  const attempts = counter(
    'design_request_job_attempts_total',
    'Attempts at jobs, by kind and how they ended',
    ['kind', 'outcome'],
  );

  return {
    /** @param kinds of the jobs that this process runs */
    jobKinds(kinds: readonly string[]) {
      // Prometheus doesn't notice the first increase of a series that appears with it.
      for (const kind of kinds)
        for (const outcome of ATTEMPT_ENDS) attempts.inc({ kind, outcome }, 0);
    },
    attempted: (kind: string, outcome: AttemptEnd) => attempts.inc({ kind, outcome }),
    /** While it can't be read, these metrics are absent. */
    backlog({ openRequests, dueJobs }: Backlog, now: () => Date) {
      atScrape(() => setRequests(openRequests(), now()));
      atScrape(() => setJobs(dueJobs(now()), now()));
    },
  };
}
