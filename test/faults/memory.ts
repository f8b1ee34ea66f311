import { readFile } from 'node:fs/promises';

const KIB = 1024;
const LOOK_EVERY_MS = 50;

/** The memory that a process really uses, in bytes (Linux, `VmRSS` of proc(5)). */
export async function memoryOf(pid: number): Promise<number> {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(await statusOf(pid))?.[1]) * KIB;
}

/** Its peak so far, in bytes (`VmHWM`). */
export async function mostMemoryOf(pid: number): Promise<number> {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(await statusOf(pid))?.[1]) * KIB;
}

const statusOf = (pid: number) => readFile(`/proc/${pid}/status`, 'utf8');

/** Follows a process's memory; `stop` resolves to the peak in bytes. */
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
