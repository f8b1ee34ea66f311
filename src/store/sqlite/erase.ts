import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Log } from '../../ops/logging.ts';
import { locateSqlite } from './path.ts';

/** Removes the bytes of deleted rows from the files of a database. Neither method waits until they are gone. */
export type Eraser = {
  /** Empties the write-ahead log. Takes milliseconds, so call it whenever rows have been deleted. */
  emptyLog(): void;
  /** Also rewrites the file, unless it is too large. */
  rewriteFile(): void;
  /** Waits briefly for a running erasure. */
  end(): Promise<void>;
};

/**
 * `secure_delete` overwrites deleted rows, but copies stay in the write-ahead log until it is truncated, and inside
 * pages when SQLite redistributes rows among them. VACUUM rewrites every page.
 *
 * The larger the file, the longer both take, so they run in another process. (A worker thread would leave this
 * process 18 MB larger.) The log can't be truncated while another program reads the file, so this is retried every
 * second, with a short timeout, because it blocks writes.
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

/** Rewriting blocks writes, for 20 ms per MB, and they fail after 1.8 s. */
const LARGEST_REWRITTEN_BYTES = 32 * 1024 * 1024;
const RETRY_MS = 60_000;
/** Part of the 10 s that a stop may take. */
const END_WITHIN_MS = 3_000;

/** @param path of the database file, which may be a link */
export function createEraser(
  path: string,
  log: Log,
  { largestRewritten = LARGEST_REWRITTEN_BYTES } = {},
): Eraser {
  // `rw` doesn't create the file if it is gone by then.
  const url = `${pathToFileURL(locateSqlite(path))}?mode=rw`;
  const program = ['--no-warnings', '--input-type=module', '-e', PROGRAM, url];
  const ending = new AbortController();
  /** Files up to this size, in bytes, are to be rewritten. Undefined if nothing is to be done. */
  let wanted: number | undefined;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (wanted !== undefined && !ending.signal.aborted) {
      const largest = wanted;
      wanted = undefined;
      try {
        const args = [...program, `${largest}`];
        await promisify(execFile)(process.execPath, args, { signal: ending.signal });
      } catch (error) {
        if (ending.signal.aborted) return;
        const reason = error instanceof Error && 'stderr' in error ? error.stderr : error;
        log.warn({ reason }, 'could not erase deleted rows from the database file');
        want(largest);
        await sleep(RETRY_MS, undefined, { signal: ending.signal }).catch(() => undefined);
      }
    }
    running = undefined;
  }

  const want = (largest: number) => {
    wanted = Math.max(wanted ?? 0, largest);
  };
  const start = (largest: number) => {
    want(largest);
    running ??= run();
  };

  return {
    emptyLog: () => start(0),
    rewriteFile: () => start(largestRewritten),
    async end() {
      await Promise.race([running, sleep(END_WITHIN_MS, undefined, { ref: false })]);
      ending.abort();
      await running;
    },
  };
}
