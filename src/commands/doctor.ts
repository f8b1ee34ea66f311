import { environmentVariables } from '../config/config.ts';
import { applyProxySettings } from '../outgoing.ts';
import { VERSION } from '../version.ts';
import { CHECKS, type Examined, examine, isTrouble } from './doctor/examine.ts';
import { aligned, UsageError } from './read-arguments.ts';

type DoctorOptions = { list: boolean; json: boolean; fix: boolean };

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
  process.stdout.write(
    options.json ? `${JSON.stringify(findingsOf(examined), null, 2)}\n` : asText(examined),
  );
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
  const { node, sqlite } = process.versions;
  const versions = `Version ${VERSION}, Node ${node}, SQLite ${sqlite}.`;
  return `${lines.join('\n')}\n\n${conclusion}\n${versions}\n`;
}

const NAME_WIDTH = Math.max(...CHECKS.map(({ name }) => name.length));
const INDENT = ' '.repeat(NAME_WIDTH + 3);
const indented = (text: string) => text.replaceAll('\n', `\n${INDENT}`);

function summaryOf(finding: Examined['finding']): string {
  if (isTrouble(finding)) return finding.problem;
  return finding.result === 'passed' ? finding.detail : `not checked: ${finding.why}`;
}

/** For scripts. */
export const findingsOf = (examined: readonly Examined[]) =>
  examined.map(({ check: { name, category }, finding, repaired }) => ({
    name,
    category,
    ...finding,
    ...(repaired ? { repaired } : {}),
  }));
