import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** An app under measurement, in its own process. */
export type Subject = {
  pid: number;
  url: string;
  /** From starting the process until it said that it was ready, in ms. */
  readyMs: number;
  /** Sends SIGTERM; resolves when it is gone. */
  stop(): Promise<void>;
};

export type Launch = {
  /** Path of the file that Node runs. */
  entry: string;
  args?: readonly string[];
  /** Its whole environment. */
  env?: Record<string, string>;
};

/** Starts it and waits for the line that says that it is ready, and where. */
export async function startSubject({ entry, args = [], env = {} }: Launch): Promise<Subject> {
  const started = performance.now();
  const child = spawn(process.execPath, [entry, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // It must not outlive the process that measures it.
  process.once('exit', () => child.kill('SIGKILL'));
  const lines: string[] = [];
  const ended = once(child, 'close');
  const url = await Promise.race([
    readyLine(child, lines),
    ended.then(() => Promise.reject(new Error(`${entry} ended:\n${lines.join('\n')}`))),
  ]);
  const readyMs = performance.now() - started;
  return {
    pid: child.pid ?? 0,
    url,
    readyMs,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const KEPT_LINES = 50;

function readyLine(child: ChildProcess, lines: string[]): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      if (lines.length > KEPT_LINES) lines.shift();
      if (line.includes('"msg":"ready"')) resolve(String(/"url":"([^"]+)"/.exec(line)?.[1]));
    });
  }
  return promise;
}
