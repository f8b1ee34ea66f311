import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { compileCacheEnv } from '../compile-cache.ts';
import { MAIN_ENTRY } from '../fresh-bundle.ts';

/** How a process ended; `code` is null if a signal ended it. */
type End = { code: number | null; signal: NodeJS.Signals | null };

/** The app as a separate process, which can be killed at any moment, even while it starts. */
export type AppProcess = ReturnType<typeof launchApp>;

/** The same app with a clock that can be shifted. */
export const CLOCK_ENTRY = fileURLToPath(new URL('./entry-with-clock.ts', import.meta.url));

const LAST_LINES = 20;

/**
 * Starts the app with these environment variables, the compile cache, and no others, without waiting for it.
 *
 * @param options.entry `MAIN_ENTRY` by default
 * @param options.env may include variables besides the app's own, such as NODE_EXTRA_CA_CERTS
 * @param options.isCompiled at each start, as where its speed is measured
 * @param options.keptLogLines how many of its latest lines; all by default
 */
export function launchApp(options: {
  env: Record<string, string>;
  entry?: string;
  args?: readonly string[];
  isCompiled?: boolean;
  keptLogLines?: number;
}) {
  const { entry = MAIN_ENTRY, args = [], env, isCompiled = false } = options;
  const { keptLogLines = Number.POSITIVE_INFINITY } = options;
  const child = spawn(process.execPath, [entry, ...args], {
    env: { ...(isCompiled ? {} : compileCacheEnv()), ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(entry === CLOCK_ENTRY ? ['ipc' as const] : [])],
  });
  // It must not outlive a test that fails while it runs.
  const outlived = () => child.kill('SIGKILL');
  process.once('exit', outlived);
  child.once('close', () => process.off('exit', outlived));
  /** Both of its output streams, line by line; live. */
  const logLines: string[] = [];
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const ended = once(child, 'close').then(([code, signal]): End => ({ code, signal }));
  /** Resolves to its address when its log says that it is ready; rejects if it ends before. */
  const ready = readyLine(child, { logLines, keptLogLines }, ended);
  // A caller that kills a starting process doesn't wait for it to be ready.
  ready.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    ready,
    logLines,
    ended,
    hasEnded,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    /** Sends SIGTERM; resolves when it is gone, which never happens if it hangs. */
    async stop() {
      child.kill('SIGTERM');
      return ended;
    },
    /** Shifts the clock of an app started with `CLOCK_ENTRY` from the real one, in ms. */
    async setClockOffset(ms: number) {
      const done = once(child, 'message');
      child.send({ clockOffsetMs: ms });
      await done;
    },
  };
}

function readyLine(
  child: ChildProcess,
  { logLines, keptLogLines }: { logLines: string[]; keptLogLines: number },
  ended: Promise<End>,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      logLines.push(line);
      if (logLines.length > keptLogLines) logLines.shift();
      if (!line.includes('"msg":"ready"')) return;
      resolve(String(/"url":"([^"]+)"/.exec(line)?.[1]));
    });
  }
  ended.then(({ code, signal }) => {
    const last = logLines.slice(-LAST_LINES).join('\n');
    reject(
      new Error(`The app ended (${signal ?? `exit code ${code}`}) before it was ready.\n${last}`),
    );
  }, reject);
  return promise;
}
