import { createReadStream } from 'node:fs';
import { release } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { parseConfig } from '../../config/config.ts';
import { hideSecrets } from '../../ops/logging.ts';
import { OperatorError } from '../../ops/operator-error.ts';
import { secretsOf } from '../../ops/secrets.ts';
import { VERSION } from '../../version.ts';
import type { Examined } from './examine.ts';
import { findingsOf } from './report.ts';

const LAST_LINES = 500;
/** Of one line, in characters: a stack trace fits. */
const LONGEST_LINE = 8_000;
/** Also hidden if the settings can't be parsed. */
const SECRET_SETTING = /TOKEN|SECRET|KEY|DATABASE_URL|PASSWORD/;

/**
 * What whoever helps needs to see, as JSON without secrets.
 *
 * @param logFile the app's log; `-` for standard input
 * @throws OperatorError if the log can't be read
 */
export async function supportBundle(
  examined: readonly Examined[],
  { logFile, env }: { logFile: string; env: Record<string, string | undefined> },
): Promise<string> {
  const bundle = {
    version: VERSION,
    node: process.versions.node,
    sqlite: process.versions.sqlite,
    system: `${process.platform} ${release()} ${process.arch}`,
    findings: findingsOf(examined),
    log: await lastLines(logFile),
  };
  return `${hideSecrets(JSON.stringify(bundle, null, 2), secretsIn(env))}\n`;
}

async function lastLines(file: string): Promise<string[]> {
  const input = file === '-' ? process.stdin : createReadStream(file);
  let lines: string[] = [];
  try {
    // A stream's errors only reach the loop below if it has begun when they happen.
    if (input !== process.stdin)
      await new Promise((open, fail) => input.once('open', open).once('error', fail));
    for await (const line of createInterface({ input })) {
      lines.push(line.slice(0, LONGEST_LINE));
      if (lines.length === 2 * LAST_LINES) lines = lines.slice(-LAST_LINES);
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`The log ${file} can't be read: ${why}`);
  }
  return lines.slice(-LAST_LINES);
}

function secretsIn(env: Record<string, string | undefined>): string[] {
  const given = Object.entries(env)
    .filter(([name]) => SECRET_SETTING.test(name))
    .flatMap(([, value]) => (value ? [value] : []));
  try {
    return [...given, ...secretsOf(parseConfig(env))];
  } catch {
    return given;
  }
}
