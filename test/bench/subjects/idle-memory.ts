import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf } from '../../faults/memory.ts';
import type { Stage } from '../stage.ts';
import type { Launch, Subject } from './subject.ts';

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
