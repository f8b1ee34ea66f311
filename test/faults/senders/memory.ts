import { readFile } from 'node:fs/promises';

const KIB = 1024;
const LOOK_EVERY_MS = 50;

/** The memory of a process that is really in use, in bytes (Linux, `VmRSS` of proc(5)). */
export async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * KIB;
}

/** Follows a process's memory; `stop` resolves with the most there was, in bytes. */
export function followMemory(pid: number): { stop(): Promise<number> } {
  let most = 0;
  let look: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    look = look.then(async () => {
      most = Math.max(most, await memoryOf(pid).catch(() => 0));
    });
  }, LOOK_EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await look;
      return most;
    },
  };
}
