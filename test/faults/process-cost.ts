import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { p99, quantile } from './row.ts';

// What a process costs the machine (Linux: proc(5)).

export type Cost = {
  /** The CPU time of its main thread in ms, during which it did nothing else. */
  busyMs: number;
  /** How far its memory rose above what it was before, in bytes. */
  grownBytes: number;
};

const KIB = 1024;
const MIB = 1024 * KIB;
const NS_PER_MS = 1_000_000;
const BUSY_MAX_MS = 1_000;
const GROWN_MAX_MIB = 150;
/** A main thread that uses less CPU time than this in LOOK_EVERY_MS is idle. */
const IDLE_MS = 5;
const LOOK_EVERY_MS = 100;

/** The memory that it really uses, in bytes. */
export const memoryOf = (pid: number): Promise<number> => sizeOf(pid, 'VmRSS');

async function sizeOf(pid: number, name: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * KIB;
}

/** CPU time of the main thread since its start, in ms. */
async function busyMsOf(pid: number): Promise<number> {
  const [nanoseconds] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')).split(' ');
  return Number(nanoseconds) / NS_PER_MS;
}

/** Measures it while `work` runs. Time is CPU time, so other load on the machine makes no difference. */
export async function costOf<Result>(
  pid: number,
  work: () => Promise<Result>,
): Promise<{ cost: Cost; result: Result }> {
  // Resets the peak to the current use.
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  const [busyBefore, memoryBefore] = await Promise.all([busyMsOf(pid), memoryOf(pid)]);
  const result = await work();
  const [busy, most] = await Promise.all([busyMsOf(pid), sizeOf(pid, 'VmHWM')]);
  return { cost: { busyMs: busy - busyBefore, grownBytes: most - memoryBefore }, result };
}

/** Whether nothing costs so much that others would notice: Slack waits 3 s, a small process has 256 MiB. */
export const isBounded = (costs: readonly Cost[]): boolean =>
  costs.every(({ busyMs, grownBytes }) => busyMs < BUSY_MAX_MS && grownBytes < GROWN_MAX_MIB * MIB);

export async function untilIdle(pid: number): Promise<void> {
  let before = Number.NEGATIVE_INFINITY;
  for (let busy = await busyMsOf(pid); busy - before > IDLE_MS; busy = await busyMsOf(pid)) {
    before = busy;
    await sleep(LOOK_EVERY_MS);
  }
}

/** Named texts like `main thread p99 12 ms, worst 40 ms` and `memory p99 +3 MiB, worst +20 MiB`. */
export function costsAsText(costs: readonly Cost[], of: string): Record<string, string> {
  const both = (values: number[], unit: string) =>
    `p99 ${Math.round(p99(values))} ${unit}, worst ${Math.round(quantile(values, 1))} ${unit}`;
  const grown = costs.map(({ grownBytes }) => grownBytes / MIB);
  return {
    [`main thread busy per ${of}`]: both(
      costs.map(({ busyMs }) => busyMs),
      'ms',
    ),
    [`memory growth per ${of}`]: both(grown, 'MiB'),
  };
}
