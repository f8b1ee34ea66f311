import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const POSTGRES_PROCESS = fileURLToPath(new URL('./postgres-process.ts', import.meta.url));

/**
 * Starts a Postgres on a free port of this machine. It ends with this process, however that ends.
 *
 * @param options.durable whether every commit waits for the disk; otherwise the system decides when to write
 * @throws an error whose message is a sentence for developers
 */
export async function startPostgres(options: { durable?: boolean } = {}) {
  const child = spawn(process.execPath, [
    POSTGRES_PROCESS,
    ...(options.durable ? ['--durable'] : []),
  ]);
  const nextLine = linesOf(child);
  const url = await nextLine();
  const tell = async (what: string) => {
    child.stdin.write(`${what}\n`);
    await nextLine();
  };
  return {
    /** `postgres://…` without a database name. */
    url,
    /** Stops it as an operator does, and starts it again on the same files. */
    down: () => tell('down'),
    up: () => tell('up'),
    async stop() {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}

/** @returns a function that gives the next line the process writes, and rejects with its errors if it ends instead */
function linesOf(child: ChildProcessWithoutNullStreams): () => Promise<string> {
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const closed = once(child, 'close');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async () => {
    const { value, done } = await lines.next();
    if (!done) return value;
    await closed;
    throw new Error(errors.trim() || 'Postgres ended');
  };
}
