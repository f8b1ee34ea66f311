import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from './figures.ts';
import { memoryOf, mostMemoryOf } from './memory.ts';

export type Cost = {
  /** The CPU time of its main thread in ms, during which it did nothing else. */
  busyMs: number;
  /** How far its memory rose above what it was before, in bytes. */
  grownBytes: number;
};

const NS_PER_MS = 1_000_000;
const MIB = 1024 * 1024;
const P99 = 0.99;
const BUSY_MAX_MS = 1_000;
const GROWN_MAX_MIB = 150;
/** A main thread that uses less CPU time than this in LOOK_EVERY_MS is idle. */
const IDLE_MS = 5;
const LOOK_EVERY_MS = 100;

/**
 * Measures what a process does while `work` runs (Linux: proc(5)). Time is CPU time, so other load on the
 * machine makes no difference.
 */
export async function costOf<Result>(
  pid: number,
  work: () => Promise<Result>,
): Promise<{ cost: Cost; result: Result }> {
  // Resets the peak to the current use.
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  const [busyBefore, memoryBefore] = await Promise.all([busyMsOf(pid), memoryOf(pid)]);
  const result = await work();
  const [busy, most] = await Promise.all([busyMsOf(pid), mostMemoryOf(pid)]);
  return { cost: { busyMs: busy - busyBefore, grownBytes: most - memoryBefore }, result };
}

/** Whether nothing costs so much that others would notice: Slack waits 3 s, a small process has 256 MiB. */
export const isBounded = (costs: readonly Cost[]): boolean =>
  costs.every(({ busyMs, grownBytes }) => busyMs < BUSY_MAX_MS && grownBytes < GROWN_MAX_MIB * MIB);

/** Resolves when the process's main thread is idle. */
export async function untilIdle(pid: number): Promise<void> {
  let before = Number.NEGATIVE_INFINITY;
  for (let busy = await busyMsOf(pid); busy - before > IDLE_MS; busy = await busyMsOf(pid)) {
    before = busy;
    await sleep(LOOK_EVERY_MS);
  }
}

/** Named texts like `main thread p99 12 ms, worst 40 ms` and `memory p99 +3 MiB, worst +20 MiB`. */
export function costsAsText(costs: readonly Cost[], of: string): Record<string, string> {
  const busy = costs.map(({ busyMs }) => busyMs);
  const grown = costs.map(({ grownBytes }) => grownBytes / MIB);
  const both = (values: number[], unit: string) =>
    `p99 ${Math.round(quantile(values, P99))} ${unit}, worst ${Math.round(quantile(values, 1))} ${unit}`;
  return {
    [`main thread busy per ${of}`]: both(busy, 'ms'),
    [`memory growth per ${of}`]: both(grown, 'MiB'),
  };
}

/** CPU time of the main thread since its start, in ms. */
async function busyMsOf(pid: number): Promise<number> {
  const [nanoseconds] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')).split(' ');
  return Number(nanoseconds) / NS_PER_MS;
}
