import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { OperatorError } from '../../ops/operator-error.ts';
import { reasonOf } from '../../store/database-location.ts';

/** Only the app's own user may read its secrets. */
const PRIVATE_FILE = 0o600;

type Values = Record<string, string>;

/** What a settings file says; nothing if it doesn't exist. */
export const valuesIn = (path: string): Record<string, string | undefined> =>
  existsSync(path) ? parseEnv(readFileSync(path, 'utf8')) : {};

/**
 * Writes settings to a file in one step: it has all of them or, if this is interrupted, none. Comments and other
 * settings in it are kept. Other users can't read it.
 *
 * @param options.template what a new file begins with, for example .env.example
 */
export function writeEnvFile(path: string, values: Values, options: { template: string }): void {
  const target = existsSync(path) ? realpathSync(path) : path;
  const before = existsSync(path) ? target : options.template;
  const text = merged(existsSync(before) ? readFileSync(before, 'utf8') : '', values);
  refuseUnreadable(text, values);
  const unfinished = `${target}.unfinished-${process.pid}`;
  try {
    const file = openSync(unfinished, 'wx', PRIVATE_FILE);
    try {
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw cannotWrite(path, error);
  }
}

/** @throws OperatorError if no file can be created or replaced there, or what is in it can't be read and kept */
export function requireWritable(path: string): void {
  const isThere = existsSync(path);
  const target = isThere ? realpathSync(path) : path;
  try {
    accessSync(dirname(resolve(target)), constants.W_OK);
    if (isThere) accessSync(target, constants.R_OK);
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

const cannotWrite = (path: string, error: unknown) =>
  new OperatorError(
    `${path} can't be written: ${reasonOf(error)}. Run the setup as a user who may write it.`,
    { cause: error },
  );

function merged(before: string, values: Values): string {
  const left = { ...values };
  const lines = before.split('\n').flatMap((line) => {
    const name = /^\s*(?:export\s+)?(\w+)\s*=/.exec(line)?.[1];
    const value = name === undefined ? undefined : values[name];
    if (name === undefined || value === undefined) return [line];
    if (!(name in left)) return [];
    delete left[name];
    return [`${name}=${quoted(value)}`];
  });
  const added = Object.entries(left).map(([name, value]) => `${name}=${quoted(value)}`);
  return `${[lines.join('\n').trimEnd(), ...added].filter(Boolean).join('\n')}\n`;
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
  const wrong = Object.keys(values).find((name) => read[name] !== values[name]);
  if (wrong)
    throw new OperatorError(`${wrong} has characters that can't be written to a settings file.`);
}
