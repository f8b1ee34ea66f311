import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../store/sqlite-files.ts';
import { startProcess } from './entry.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export type NpmRun = ReturnType<typeof runNpm>;

/** A folder that looks like this project without its .env, with only the named entries. */
export async function projectWith(...names: string[]): Promise<string> {
  const folder = await temporaryFolder();
  for (const name of names) symlinkSync(join(ROOT, name), join(folder, name));
  return folder;
}

/** A build takes longer than any other start. */
const OUTPUT_WITHIN_MS = 100_000;

/** @param options.env besides PATH, HOME, and the compile cache @param options.path programs found before others */
export function runNpm(
  args: string[],
  options: { cwd: string; env?: Record<string, string>; path?: string; program?: string },
) {
  const { cwd, program = 'npm' } = options;
  const PATH = [options.path ?? [], process.env.PATH].flat().join(delimiter);
  const env = { PATH, HOME: cwd, ...options.env };
  const { child, group, written, ended, until } = startProcess(program, args, { cwd, env });
  return {
    output: () => written.all,
    errors: () => written.stderr,
    /** Resolves when npm itself has ended, with its exit code or the signal that ended it. */
    npmEnded: once(child, 'exit').then(([code, signal]) => code ?? signal),
    /** Resolves when the last of what it started has ended. */
    allEnded: ended,
    write: (text: string) => void child.stdin.write(text),
    endInput: () => void child.stdin.end(),
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    /** Signals all of them at once, as a terminal does. */
    killGroup: (signal: NodeJS.Signals) => void process.kill(group, signal),
    /** Resolves to what `pattern` finds in the output after `from` characters, now or later. */
    until: (pattern: RegExp, from = 0) =>
      until(() => pattern.exec(written.all.slice(from)), String(pattern), OUTPUT_WITHIN_MS),
  };
}
