import { write, writeSync } from 'node:fs';

/** Lines beyond this are dropped while nobody reads. In characters. */
const MAX_WAITING = 8_000_000;
/** How long to wait for a full pipe, in ms, and how many times at the end of the process. */
const BUSY_MS = 50;
const BUSY_TIMES = 20;

const NOTHING = Buffer.alloc(0);
const isBusy = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'EAGAIN';

/**
 * Standard output as a destination of pino, written without waiting for it. Lines that can't be written are lost: if
 * nobody reads or the disk is full, pino's own destination would repeat them forever when the process ends.
 */
function outputTo(fd: number) {
  let waiting = '';
  let writing: Buffer = NOTHING;

  function start(): void {
    writing = Buffer.from(waiting);
    waiting = '';
    if (writing.length > 0) writeOn();
  }

  function writeOn(): void {
    write(fd, writing, (error, written) => {
      if (isBusy(error)) return void setTimeout(writeOn, BUSY_MS);
      writing = error ? NOTHING : writing.subarray(written);
      if (writing.length > 0) writeOn();
      else start();
    });
  }

  function flushSync(): void {
    let rest = Buffer.from(waiting);
    waiting = '';
    for (let busy = 0; rest.length > 0 && busy < BUSY_TIMES; ) {
      try {
        rest = rest.subarray(writeSync(fd, rest));
      } catch (error) {
        if (!isBusy(error)) return;
        busy += 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS);
      }
    }
  }

  process.on('exit', flushSync);
  return {
    write(line: string): void {
      if (waiting.length > MAX_WAITING) return;
      waiting += line;
      if (writing.length === 0) start();
    },
    flushSync,
  };
}

export const standardOutput = outputTo(1);
