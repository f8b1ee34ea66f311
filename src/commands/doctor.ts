import { createReadStream } from 'node:fs';
import { release } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { environmentVariables, parseConfig } from '../config/config.ts';
import { hiding } from '../ops/logging.ts';
import { OperatorError } from '../ops/operator-error.ts';
import { secretsOf } from '../ops/secrets.ts';
import { applyProxySettings } from '../outgoing.ts';
import { VERSION } from '../version.ts';
import { CHECKS, type Examined, examine, isTrouble } from './doctor/examine.ts';
import { aligned, UsageError } from './read-arguments.ts';

type DoctorOptions = { list: boolean; json: boolean; fix: boolean; support?: string | undefined };

export async function doctor(options: DoctorOptions, names: readonly string[]): Promise<void> {
  const unknown = names.find((name) => !CHECKS.some((check) => check.name === name));
  if (unknown) throw new UsageError(`There is no check '${unknown}'.`);
  if (options.list) {
    const listed = CHECKS.map(({ name, category, about }) => [name, category, about]);
    process.stdout.write(`${aligned(listed)}\n`);
    return;
  }
  const chosen = CHECKS.filter(({ name }) => names.length === 0 || names.includes(name));
  const env = environmentVariables();
  applyProxySettings(env);
  const examined = await examine(chosen, { env, repairs: options.fix });
  if (options.support !== undefined) {
    process.stdout.write(await supportBundle(examined, { logFile: options.support, env }));
    return;
  }
  process.stdout.write(options.json ? asJson(findingsOf(examined)) : asText(examined));
  if (examined.some(({ finding }) => finding.result === 'failed')) process.exitCode = 1;
}

const MARKS = { passed: '✓', warning: '!', failed: '✗', skipped: '–' } as const;

/** For people: a line for each check, with what to do under those that found something. */
export function asText(examined: readonly Examined[]): string {
  const lines = examined.flatMap(({ check, finding, repaired }) => [
    `${MARKS[finding.result]} ${check.name.padEnd(NAME_WIDTH)} ${indented(summaryOf(finding))}`,
    ...(isTrouble(finding) ? [`${INDENT}Fix: ${indented(finding.fix)}`] : []),
    ...(repaired ? [`${INDENT}Repaired: ${repaired}`] : []),
  ]);
  const count = (result: string) =>
    examined.filter(({ finding }) => finding.result === result).length;
  const conclusion = `${count('failed')} failed, ${count('warning')} warnings, ${count('passed')} passed, ${count('skipped')} not checked.`;
  return `${lines.join('\n')}\n\n${conclusion}\n`;
}

const NAME_WIDTH = Math.max(...CHECKS.map(({ name }) => name.length));
const INDENT = ' '.repeat(NAME_WIDTH + 3);
const indented = (text: string) => text.replaceAll('\n', `\n${INDENT}`);

function summaryOf(finding: Examined['finding']): string {
  if (isTrouble(finding)) return finding.problem;
  return finding.result === 'passed' ? finding.detail : `not checked: ${finding.why}`;
}

export const findingsOf = (examined: readonly Examined[]) =>
  examined.map(({ check: { name, category }, finding, repaired }) => ({
    name,
    category,
    ...finding,
    ...(repaired ? { repaired } : {}),
  }));

const asJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

const LAST_LINES = 500;
/** Of one line, in characters: a stack trace fits. */
const LONGEST_LINE = 8_000;
/** Names of variables that are hidden even if the settings can't be parsed. */
const SECRET_SETTING = /TOKEN|SECRET|KEY|DATABASE_URL|PASSWORD/;

/** What a helper needs to see, as JSON without secrets. @param logFile `-` for standard input */
async function supportBundle(
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
  return hiding(secretsIn(env))(asJson(bundle));
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
