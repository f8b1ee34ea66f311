import { execFile } from 'node:child_process';
import { open, stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import type { AppProcess } from '../app-process.ts';
import type { Chance } from '../random.ts';
import type { Setting } from '../setting.ts';

/** A temporary fault of the database. */
export type DatabaseFault = {
  name: 'locked' | 'disk full' | 'read-only' | 'one write fails';
  /** How long it lasts, in ms. */
  lastsMs: number;
  /** Starts the fault; returns a function that ends it and gives the app that runs from then on. */
  begin(setting: Setting, app: AppProcess): Promise<() => Promise<AppProcess>>;
};

/** Longer than any write by the app. */
const LOCK_PATIENCE_MS = 5_000;

const run = promisify(execFile);

/** Another connection holds the write lock, as a careless backup tool does. */
export const locked = (lastsMs: number): DatabaseFault => ({
  name: 'locked',
  lastsMs,
  async begin({ databasePath }, app) {
    const other = new DatabaseSync(databasePath, { timeout: LOCK_PATIENCE_MS });
    other.exec('BEGIN EXCLUSIVE');
    return async () => {
      other.close();
      return app;
    };
  },
});

/**
 * None of the app's files may grow beyond some size (setrlimit(2), RLIMIT_FSIZE): writes beyond it fail as on
 * a full disk. Half of the time nothing can be written at all; otherwise the beginning of the log still can.
 */
export const diskFull = (lastsMs: number, chance: Chance): DatabaseFault => ({
  name: 'disk full',
  lastsMs,
  async begin({ databasePath }, app) {
    const { size } = await stat(`${databasePath}-wal`);
    await limitFileSize(app, `${chance.is(0.5) ? 0 : chance.below(size)}:unlimited`);
    return async () => {
      await limitFileSize(app, 'unlimited:unlimited');
      return app;
    };
  },
});

const limitFileSize = ({ pid }: AppProcess, limits: string) =>
  run('prlimit', [`--pid=${pid}`, `--fsize=${limits}`]);

/** The file format's write version and the value that SQLite writes there for WAL; see below. */
const WRITE_VERSION_AT = 18;
const WAL_VERSION = 2;
const VERSION_OF_THE_FUTURE = 3;

/**
 * A write version unknown to SQLite makes a database read-only
 * (https://www.sqlite.org/fileformat.html#file_format_version_numbers). Afterwards the app has to be restarted.
 */
export const readOnly = (lastsMs: number): DatabaseFault => ({
  name: 'read-only',
  lastsMs,
  async begin(setting, app) {
    await writeVersion(setting, VERSION_OF_THE_FUTURE);
    return async () => {
      await app.stop();
      await writeVersion(setting, WAL_VERSION);
      return setting.start();
    };
  },
});

/** Changes one byte of the file, after everything in its log has been moved there. */
async function writeVersion({ databasePath }: Setting, version: number): Promise<void> {
  const database = new DatabaseSync(databasePath, { timeout: LOCK_PATIENCE_MS });
  try {
    // The app reads the file again only after another process has written to it.
    if (version !== WAL_VERSION) database.exec(`PRAGMA user_version = ${version}`);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
  const file = await open(databasePath, 'r+');
  await file.write(Uint8Array.of(version), 0, 1, WRITE_VERSION_AT);
  await file.close();
}

/** Writes between which the app's work can be torn: `when` is a condition of an SQL trigger. */
const WRITES = [
  ...['slack-event', 'deliver-request', 'reconcile-request', 'announce-request'].map((kind) => ({
    before: 'INSERT ON jobs',
    when: `NEW.kind = '${kind}'`,
  })),
  { before: 'UPDATE ON jobs', when: "NEW.state = 'running'" },
  { before: 'UPDATE ON jobs', when: "NEW.state = 'done'" },
  { before: 'INSERT ON requests', when: 'true' },
  ...['queued', 'sending', 'created', 'in_doubt'].map((state) => ({
    before: 'UPDATE ON requests',
    when: `NEW.state = '${state}' AND OLD.state <> NEW.state`,
  })),
  { before: 'UPDATE ON requests', when: 'NEW.announced_revision > OLD.announced_revision' },
];

/** One kind of write fails while all others succeed: like a full disk, but at every point in turn. */
export const oneWriteFails = (lastsMs: number, turn: number): DatabaseFault => ({
  name: 'one write fails',
  lastsMs,
  async begin({ databasePath }, app) {
    const { before, when } = WRITES[turn % WRITES.length] ?? { before: '', when: '' };
    const database = new DatabaseSync(databasePath, { timeout: LOCK_PATIENCE_MS });
    database.exec(
      `CREATE TRIGGER fault BEFORE ${before} WHEN ${when} BEGIN SELECT RAISE(ABORT, 'no room'); END`,
    );
    return async () => {
      database.exec('DROP TRIGGER fault');
      database.close();
      return app;
    };
  },
});
