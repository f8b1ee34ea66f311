import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { compileCacheEnv } from '../compile-cache.ts';

/** How a process ended: its exit code, or the signal that ended it. */
type Ending = { code: number | null; signal: NodeJS.Signals | null };

/** One of the project's entry files, running as a process. */
export type Entry = {
  stdout(): string;
  stderr(): string;
  ended: Promise<Ending>;
  kill(signal: NodeJS.Signals): void;
  /** Resolves to the first thing that `read` finds in the output, now or later. */
  until<Value>(read: () => Value | undefined, what: string): Promise<Value>;
};

type Options = {
  args?: string[];
  /** The whole environment besides the compile cache; nothing is inherited. */
  env?: Record<string, string>;
  /** Code that runs in the process before the entry does. */
  preload?: string;
};

const OUTPUT_WITHIN_MS = 30_000;

/** Runs `node <path>` with the Node of this test; it is killed if it still runs when the test ends. */
export function runEntry(path: string, { args = [], env = {}, preload }: Options = {}): Entry {
  const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const first = preload ? ['--import', `data:text/javascript,${encodeURIComponent(preload)}`] : [];
  const child = spawn(process.execPath, [...first, file, ...args], {
    env: { ...compileCacheEnv(), ...env },
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  const ended = once(child, 'close').then(([code, signal]): Ending => ({ code, signal }));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    ended,
    kill: (signal) => child.kill(signal),
    until: (read, what) =>
      written(child, read, () => `${what}, only:\n${output.stdout}${output.stderr}`),
  };
}

/** Runs an operator command as in a deployment: `node dist/app.js <name>`. */
export const runCommand = (name: string, { args = [], ...options }: Options = {}): Entry =>
  runEntry('dist/app.js', { ...options, args: [name, ...args] });

function written<Value>(
  child: ReturnType<typeof spawn> & Pick<ChildProcess, 'stdout' | 'stderr'>,
  read: () => Value | undefined,
  describe: () => string,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const found = read();
      if (found !== undefined) resolve(found);
    };
    const fail = () => reject(new Error(`The process did not write ${describe()}`));
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.once('close', fail);
    setTimeout(fail, OUTPUT_WITHIN_MS).unref();
    look();
  });
}
