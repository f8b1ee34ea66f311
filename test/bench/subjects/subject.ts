import { launchApp } from '../../faults/app-process.ts';
import { memoryOf } from '../../faults/process-cost.ts';

/** An app under measurement, in its own process. */
export type Subject = Awaited<ReturnType<typeof startSubject>>;

export type Launch = {
  entry: string;
  args?: readonly string[];
  env?: Record<string, string>;
};

/** Starts it and waits for the line that says that it is ready, and where. */
export async function startSubject({ entry, args = [], env = {} }: Launch) {
  const started = performance.now();
  const { pid, ready, stop } = launchApp({ entry, args, env, isCompiled: true });
  const url = await ready;
  return { pid, url, stop, readyMs: performance.now() - started };
}

const BYTES_PER_MB = 1_000_000;

/** The resident memory of a running app, in MB. */
export async function megabytesOf({ pid }: Subject): Promise<number> {
  return (await memoryOf(pid)) / BYTES_PER_MB;
}
