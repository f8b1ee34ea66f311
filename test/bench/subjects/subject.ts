import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { launchApp } from '../../faults/app-process.ts';
import { memoryOf } from '../../faults/process-cost.ts';
import type { Stage } from '../stage.ts';

/** An app under measurement, in its own process. */
export type Subject = {
  pid: number;
  url: string;
  /** From starting the process until it said that it was ready, in ms. */
  readyMs: number;
  /** Sends SIGTERM; resolves when it is gone. */
  stop(): Promise<unknown>;
};

export type Launch = {
  /** Path of the file that Node runs. */
  entry: string;
  args?: readonly string[];
  /** Its whole environment. */
  env?: Record<string, string>;
};

/** Starts it and waits for the line that says that it is ready, and where. */
export async function startSubject({ entry, args = [], env = {} }: Launch): Promise<Subject> {
  const started = performance.now();
  const { pid, ready, stop } = launchApp({ entry, args, env, isCompiled: true });
  const url = await ready;
  return { pid, url, readyMs: performance.now() - started, stop };
}

/** By then nothing of the start is in progress, and idle connections to Slack are closed. */
const IDLE_AFTER_MS = 8_000;
const BYTES_PER_MB = 1_000_000;

/**
 * Starts an app, leaves it alone for eight seconds, and returns its resident memory in MB.
 *
 * @param use runs before those eight seconds
 */
export async function idleMemoryOf(
  stage: Stage,
  launch: Launch,
  use: (subject: Subject) => Promise<unknown> = async () => undefined,
): Promise<number> {
  const subject = await stage.start(launch);
  await use(subject);
  await sleep(IDLE_AFTER_MS);
  const megabytes = await megabytesOf(subject);
  await subject.stop();
  return megabytes;
}

/** The resident memory of a running app, in MB. */
export async function megabytesOf({ pid }: Subject): Promise<number> {
  return (await memoryOf(pid)) / BYTES_PER_MB;
}

/** Positions of user and system time after the name in /proc/pid/stat (proc(5)), in ticks of 10 ms. */
const USER_TIME = 11;
const SYSTEM_TIME = 12;
const MS_PER_TICK = 10;

/** The CPU time of a process since its start, in ms (Linux). */
export async function processorTimeOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) * MS_PER_TICK;
}
