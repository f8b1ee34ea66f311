import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import type { FsyncTime } from './fsync.ts';

const BYTES_PER_GB = 1e9;
/** The load of the last minute; above it, other work affects the results. */
const QUIET_LOAD = 0.5;

/** Describes the machine in one paragraph. */
export function describeMachine({ medianMs, p99Ms }: FsyncTime, now: Date): string {
  const [load = 0] = loadavg();
  return [
    `Measured on ${now.toISOString().slice(0, 10)} with Node ${process.version}`,
    `on ${availableParallelism()} processors (${cpus()[0]?.model.trim() ?? 'unknown'})`,
    `and ${Math.round(totalmem() / BYTES_PER_GB)} GB; load before ${load.toFixed(1)};`,
    `fsync of 4 KiB: median ${medianMs.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms.`,
    ...(load > QUIET_LOAD
      ? ['The machine was busy with other work, which affects the results.']
      : []),
    'Results are medians over the rounds, with the lowest and highest round in brackets.',
  ].join(' ');
}
