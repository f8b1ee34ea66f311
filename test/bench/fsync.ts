import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantile } from '../faults/figures.ts';

/** How long the disk takes to store what was written, in ms. */
export type FsyncTime = { medianMs: number; p99Ms: number };

/** One SQLite page, in bytes. */
const PAGE = Buffer.alloc(4096, 1);
const TIMES = 300;
const P50 = 0.5;
const P99 = 0.99;

/** Measures it where the apps keep their data. */
export function measureFsync(): FsyncTime {
  const path = join(tmpdir(), `design-request-fsync-${process.pid}`);
  const file = openSync(path, 'w');
  const ms = Array.from({ length: TIMES }, () => {
    const started = performance.now();
    writeSync(file, PAGE);
    fdatasyncSync(file);
    return performance.now() - started;
  });
  closeSync(file);
  rmSync(path);
  return { medianMs: quantile(ms, P50), p99Ms: quantile(ms, P99) };
}
