import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished, vi } from 'vitest';
import { compileCacheEnv } from '../compile-cache.ts';

type Ending = { code: number | null; signal: NodeJS.Signals | null };

export type Entry = ReturnType<typeof runEntry>;

type Options = {
  args?: string[];
  /** The whole environment besides the compile cache; nothing is inherited. */
  env?: Record<string, string>;
  preload?: string;
};

const OUTPUT_WITHIN_MS = 30_000;

/** In a process group of its own, so that whatever is left of it is found, and killed when the test ends. */
export function startProcess(
  program: string,
  args: string[],
  options: { cwd?: string; env: Record<string, string> },
) {
  const env = { ...compileCacheEnv(), ...options.env };
  const child = spawn(program, args, { ...options, env, detached: true });
  const group = -(child.pid ?? 0);
  const written = { stdout: '', stderr: '', all: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
      written.all += text;
    });
  }
  // All of the group share its streams, which close with the last of them.
  const ended = once(child, 'close').then(([code, signal]): Ending => ({ code, signal }));
  onTestFinished(async () => {
    try {
      process.kill(group, 'SIGKILL');
    } catch {
      // All of them have ended.
    }
    await ended;
  });
  return {
    child,
    group,
    written,
    ended,
    /** Resolves to the first thing that `read` finds in the output, now or later. */
    until: <Found>(read: () => Found | undefined, what: string, timeout = OUTPUT_WITHIN_MS) =>
      vi.waitUntil(read, { timeout, interval: 20 }).catch(() => {
        throw new Error(`The process did not write ${what}, only:\n${written.all}`);
      }),
  };
}

/** Runs `node <path>` with the Node of this test. */
export function runEntry(path: string, { args = [], env = {}, preload }: Options = {}) {
  const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const first = preload ? ['--import', `data:text/javascript,${encodeURIComponent(preload)}`] : [];
  const { child, written, ended, until } = startProcess(
    process.execPath,
    [...first, file, ...args],
    { env },
  );
  return {
    pid: child.pid ?? 0,
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    ended,
    until,
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
  };
}

/** Runs an operator command as in a deployment: `node dist/app.js <name>`. */
export const runCommand = (name: string, { args = [], ...options }: Options = {}): Entry =>
  runEntry('dist/app.js', { ...options, args: [name, ...args] });
