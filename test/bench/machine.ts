import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { median, p99 } from '../faults/row.ts';

/** One SQLite page, in bytes. */
const PAGE = Buffer.alloc(4096, 1);
const TIMES = 300;

/** How long the disk takes to store what was written where the apps keep their data. */
function fsyncMs(): number[] {
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
  return ms;
}

const BYTES_PER_GB = 1e9;
/** The load of the last minute; above it, other work affects the results. */
const QUIET_LOAD = 0.5;

/** Describes the machine in one paragraph. */
export function describeMachine(now: Date): string {
  const ms = fsyncMs();
  const [load = 0] = loadavg();
  return [
    `Measured on ${now.toISOString().slice(0, 10)} with Node ${process.version}`,
    `on ${availableParallelism()} processors (${cpus()[0]?.model.trim() ?? 'unknown'})`,
    `and ${Math.round(totalmem() / BYTES_PER_GB)} GB; load before ${load.toFixed(1)};`,
    `fsync of 4 KiB: median ${median(ms).toFixed(2)} ms, p99 ${p99(ms).toFixed(2)} ms.`,
    ...(load > QUIET_LOAD
      ? ['The machine was busy with other work, which affects the results.']
      : []),
    'Results are medians over the rounds, with the lowest and highest round in brackets.',
  ].join(' ');
}
