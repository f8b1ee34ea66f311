import { launchApp } from '../../faults/app-process.ts';
import { memoryOf } from '../../faults/process-cost.ts';

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

const BYTES_PER_MB = 1_000_000;

/** The resident memory of a running app, in MB. */
export async function megabytesOf({ pid }: Subject): Promise<number> {
  return (await memoryOf(pid)) / BYTES_PER_MB;
}
