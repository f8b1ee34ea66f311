import { existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { OperatorError } from '../../ops/operator-error.ts';
import { reasonOf } from '../../store/database-location.ts';

/** Only the app's own user may read its secrets. */
const PRIVATE_FILE = 0o600;

type Values = Partial<Record<string, string>>;

/**
 * Writes settings to a file in one step: it has all of them or, if this is interrupted, none. Comments and other
 * settings in it are kept; a value that is replaced stays as a comment. Other users can't read it.
 */
export function writeEnvFile(path: string, values: Values, options: { template: string }): void {
  try {
    const target = existsSync(path) ? realpathSync(path) : path;
    const source = [target, options.template].find((file) => existsSync(file));
    const before = source === undefined ? '' : readFileSync(source, 'utf8');
    const text = merged(before, values);
    if (text === before && source === target) return;
    refuseUnreadable(text, values);
    replaceFile(target, text);
  } catch (error) {
    throw error instanceof OperatorError ? error : cannotWrite(path, error);
  }
}

function replaceFile(path: string, text: string): void {
  const unfinished = `${path}.unfinished-${process.pid}`;
  try {
    writeFileSync(unfinished, text, { flag: 'wx', mode: PRIVATE_FILE, flush: true });
    renameSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

const cannotWrite = (path: string, error: unknown) =>
  new OperatorError(
    `${path} can't be written: ${reasonOf(error)}. Run the setup as a user who may write it.`,
    { cause: error },
  );

function merged(before: string, values: Values): string {
  const present = parseEnv(before);
  // An empty value is what a missing one means, too.
  const changed = Object.entries(values).filter(([name, value]) => value !== (present[name] ?? ''));
  const left = new Map(changed);
  const lines = before.split('\n').flatMap((line) => {
    const name = /^\s*(?:export\s+)?(\w+)\s*=/.exec(line)?.[1] ?? '';
    const value = left.get(name);
    const isOutdated = changed.some(([one]) => one === name);
    if (!isOutdated) return [line];
    left.delete(name);
    const kept = present[name] ? [`# ${line}`] : [];
    return value === undefined ? kept : [...kept, `${name}=${quoted(value)}`];
  });
  const added = [...left].map(([name, value = '']) => `${name}=${quoted(value)}`);
  return changed.length === 0
    ? before
    : `${[lines.join('\n').trimEnd(), ...added].filter(Boolean).join('\n')}\n`;
}

/**
 * As Node, shells, and the `env_file` of Docker Compose read it. Single quotes come first, because all three take what is
 * between them literally (only Compose doesn't, if it ends with a backslash). In double quotes, shells and Compose expand
 * `$` and backslashes, and Node alone knows backticks.
 */
function quoted(value: string): string {
  if (/^[\w:/.,+=@{}?%-]*$/.test(value)) return value;
  const quote = ["'", '"', '`'].find((one) => !value.includes(one)) ?? '"';
  return quote + value + quote;
}

function refuseUnreadable(text: string, values: Values): void {
  const read = parseEnv(text);
  const wrong = Object.keys(values).find((name) => (read[name] ?? '') !== (values[name] ?? ''));
  if (wrong)
    throw new OperatorError(`${wrong} has characters that can't be written to a settings file.`);
}
