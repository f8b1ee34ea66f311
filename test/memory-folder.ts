import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Where Linux keeps files in memory. In a container it may be tiny. */
const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 1e9;

/**
 * In memory where possible: no test loses power, and waiting for a busy disk at each commit took half of a journey's
 * time.
 */
export function temporaryRoot(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ENOUGH_BYTES ? MEMORY : tmpdir();
}
