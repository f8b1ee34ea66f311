import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Log } from '../../ops/logging.ts';
import { locateSqlite } from './path.ts';

/** Removes the bytes of deleted rows from the files of a database. */
export type Eraser = {
  /** To be called when rows have been deleted; doesn't wait for them to be erased. */
  start(): void;
  /** Waits a moment for what is under way. */
  end(): Promise<void>;
};

/**
 * `secure_delete` overwrites deleted rows, but their copies stay in the write-ahead log until it is truncated,
 * and SQLite leaves a few more inside pages when it redistributes rows among them. VACUUM writes every page anew.
 *
 * Both take as long as the file is large, so they run in a process of their own. (A worker thread would leave
 * this process 18 MB larger.) While another program reads the file, the log can't be truncated: it is tried
 * again every second, and waits only shortly each time, because writes wait meanwhile.
 */
const PROGRAM = `
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
const [, url, largest] = process.argv;
const db = new DatabaseSync(new URL(url), { timeout: 200 });
const pragma = (name) => Object.values(db.prepare('PRAGMA ' + name).get())[0];
const rewrite = () => {
  const used = (pragma('page_count') - pragma('freelist_count')) * pragma('page_size');
  if (used <= Number(largest)) db.exec('VACUUM');
};
const truncate = () => {
  if (pragma('wal_checkpoint(TRUNCATE)') !== 0) throw new Error('another program is reading the file');
};
async function untilDone(step) {
  for (let tries = 1; ; tries += 1) {
    try { return step(); } catch (error) { if (tries === 30) throw error; }
    await sleep(1_000);
  }
}
try {
  await untilDone(rewrite);
  await untilDone(truncate);
  db.close();
} catch (error) {
  process.stderr.write(error.message);
  process.exitCode = 1;
}
`;

/** Writes wait while a file is rewritten, 20 ms for each MB, and are refused after 1.8 s. */
const LARGEST_REWRITTEN_BYTES = 32 * 1024 * 1024;
const TRY_AGAIN_MS = 60_000;
/** Of the 10 s that a stop may take. */
const END_WITHIN_MS = 3_000;

/** @param path of the database file, directly or by links */
export function createEraser(
  path: string,
  log: Log,
  { largestRewritten = LARGEST_REWRITTEN_BYTES } = {},
): Eraser {
  // Not created where it is gone by then.
  const url = `${pathToFileURL(locateSqlite(path))}?mode=rw`;
  const args = ['--no-warnings', '--input-type=module', '-e', PROGRAM, url, `${largestRewritten}`];
  const ending = new AbortController();
  let isRequested = false;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (isRequested && !ending.signal.aborted) {
      isRequested = false;
      try {
        await promisify(execFile)(process.execPath, args, { signal: ending.signal });
      } catch (error) {
        if (ending.signal.aborted) return;
        const reason = error instanceof Error && 'stderr' in error ? error.stderr : error;
        log.warn({ reason }, 'deleted rows could not be erased from the database file');
        isRequested = true;
        await sleep(TRY_AGAIN_MS, undefined, { signal: ending.signal }).catch(() => undefined);
      }
    }
    running = undefined;
  }

  return {
    start() {
      if (ending.signal.aborted) return;
      isRequested = true;
      running ??= run();
    },
    async end() {
      await Promise.race([running, sleep(END_WITHIN_MS, undefined, { ref: false })]);
      ending.abort();
      await running;
    },
  };
}
