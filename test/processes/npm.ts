import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { compileCacheEnv } from '../compile-cache.ts';
import { temporaryFolder } from '../store/sqlite-files.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** An npm process, with everything it started. */
export type NpmRun = {
  /** What all of them have written so far. */
  output(): string;
  /** Resolves when npm itself has ended, with its exit code or the signal that ended it. */
  npmEnded: Promise<number | NodeJS.Signals>;
  /** Resolves when the last of them has ended. */
  allEnded: Promise<unknown>;
  /** Types into it. */
  write(text: string): void;
  endInput(): void;
  kill(signal: NodeJS.Signals): void;
  /** Signals all of them at once, as a terminal does. */
  killGroup(signal: NodeJS.Signals): void;
  /** Resolves to what `pattern` finds in the output after `from` characters, now or later. */
  until(pattern: RegExp, from?: number): Promise<RegExpExecArray>;
};

/** A folder that looks like this project without its .env, with only the named entries. */
export async function projectWith(...names: string[]): Promise<string> {
  const folder = await temporaryFolder();
  for (const name of names) symlinkSync(join(ROOT, name), join(folder, name));
  return folder;
}

/**
 * Runs `npm <args>` in a folder. It is killed if it still runs when the test ends.
 *
 * @param options.program another program than npm
 * @param options.env the whole environment besides PATH, HOME, and the compile cache
 * @param options.path a folder of programs found before others
 */
export function runNpm(
  args: string[],
  options: { cwd: string; env?: Record<string, string>; path?: string; program?: string },
): NpmRun {
  const { cwd, program = 'npm' } = options;
  // A process group of its own, so that whatever is left of it can be found.
  const PATH = [options.path ?? [], process.env.PATH].flat().join(delimiter);
  const env = { PATH, HOME: cwd, ...compileCacheEnv(), ...options.env };
  const child = spawn(program, args, { cwd, env, detached: true });
  const group = -(child.pid ?? 0);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  // They share its streams, which close with the last of them.
  const allEnded = once(child, 'close');
  const npmEnded = once(child, 'exit').then(([code, signal]) => code ?? signal);
  onTestFinished(async () => {
    try {
      process.kill(group, 'SIGKILL');
    } catch {
      // All of them have ended.
    }
    await allEnded;
  });
  return {
    output: () => output,
    ...{ npmEnded, allEnded },
    write: (text) => void child.stdin.write(text),
    endInput: () => void child.stdin.end(),
    kill: (signal) => void child.kill(signal),
    killGroup: (signal) => void process.kill(group, signal),
    async until(pattern, from = 0) {
      for (;;) {
        const found = pattern.exec(output.slice(from));
        if (found) return found;
        await Promise.race([
          once(child.stdout, 'data'),
          allEnded.then(() =>
            Promise.reject(new Error(`npm ended without ${pattern}:\n${output}`)),
          ),
        ]);
      }
    },
  };
}
