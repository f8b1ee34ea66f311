import { CHECKS, type Examined, isTrouble } from './examine.ts';

const MARKS = { passed: '✓', warning: '!', failed: '✗', skipped: '–' } as const;

/** For people: a line for each check, with what to do under those that found something. */
export function asText(examined: readonly Examined[]): string {
  const lines = examined.flatMap(({ check, finding, repaired }) => [
    `${MARKS[finding.result]} ${check.name.padEnd(NAME_WIDTH)} ${indented(summaryOf(finding))}`,
    ...(isTrouble(finding) ? [`${INDENT}Fix: ${indented(finding.fix)}`] : []),
    ...(repaired ? [`${INDENT}Repaired: ${repaired}`] : []),
  ]);
  return `${lines.join('\n')}\n\n${conclusion(examined)}\n`;
}

const NAME_WIDTH = Math.max(...CHECKS.map(({ name }) => name.length));
const INDENT = ' '.repeat(NAME_WIDTH + 3);
const indented = (text: string) => text.replaceAll('\n', `\n${INDENT}`);

function summaryOf(finding: Examined['finding']): string {
  if (isTrouble(finding)) return finding.problem;
  return finding.result === 'passed' ? finding.detail : `not checked: ${finding.why}`;
}

function conclusion(examined: readonly Examined[]): string {
  const count = (result: string) =>
    examined.filter(({ finding }) => finding.result === result).length;
  return `${count('failed')} failed, ${count('warning')} warnings, ${count('passed')} passed, ${count('skipped')} not checked.`;
}

/** For scripts. */
export const findingsOf = (examined: readonly Examined[]) =>
  examined.map(({ check: { name, category }, finding, repaired }) => ({
    name,
    category,
    ...finding,
    ...(repaired ? { repaired } : {}),
  }));

export const asJson = (examined: readonly Examined[]): string =>
  `${JSON.stringify(findingsOf(examined), null, 2)}\n`;

/** What is checked, without checking it. */
export const listOfChecks = (): string =>
  CHECKS.map(
    ({ name, category, about }) => `${name.padEnd(NAME_WIDTH)} ${category.padEnd(9)} ${about}\n`,
  ).join('');
