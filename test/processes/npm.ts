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
export type NpmRun = ReturnType<typeof runNpm>;

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
) {
  const { cwd, program = 'npm' } = options;
  // A process group of its own, so that whatever is left of it can be found.
  const PATH = [options.path ?? [], process.env.PATH].flat().join(delimiter);
  const env = { PATH, HOME: cwd, ...compileCacheEnv(), ...options.env };
  const child = spawn(program, args, { cwd, env, detached: true });
  const group = -(child.pid ?? 0);
  let output = '';
  let errors = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (stream === child.stderr) errors += text;
    });
  }
  // They share its streams, which close with the last of them.
  /** Resolves when the last of them has ended. */
  const allEnded = once(child, 'close');
  /** Resolves when npm itself has ended, with its exit code or the signal that ended it. */
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
    /** The part of the output on standard error. */
    errors: () => errors,
    ...{ npmEnded, allEnded },
    write: (text: string) => void child.stdin.write(text),
    endInput: () => void child.stdin.end(),
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    /** Signals all of them at once, as a terminal does. */
    killGroup: (signal: NodeJS.Signals) => void process.kill(group, signal),
    /** Resolves to what `pattern` finds in the output after `from` characters, now or later. */
    async until(pattern: RegExp, from = 0) {
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
