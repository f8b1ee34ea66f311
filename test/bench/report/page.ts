import { readFile, writeFile } from 'node:fs/promises';
import { holds, type Measured, type Row } from '../row.ts';
import { figureAsText, targetAsText } from '../words.ts';
import { drawChart } from './chart.ts';

/** One row with its results, and how to repeat it. */
export type Shown = { row: Row; measured: readonly Measured[]; rounds: number; seed: number };

const PAGE = new URL('../../../docs/performance.md', import.meta.url);
const CHART = new URL('../../../docs/performance.svg', import.meta.url);
const BEGIN = '<!-- figures: written by `npm run bench -- --write` -->';
const END = '<!-- end of figures -->';
const NEW_PAGE = `# Performance

${BEGIN}
${END}
`;

/**
 * Writes the results into docs/performance.md, between its two marks, and draws their chart.
 *
 * @param machine a description of the machine
 */
export async function writePerformancePage(
  shown: readonly Shown[],
  machine: string,
): Promise<void> {
  const page = await readFile(PAGE, 'utf8').catch(() => NEW_PAGE);
  const before = page.slice(0, page.indexOf(BEGIN));
  const after = page.slice(page.indexOf(END) + END.length);
  const figures = [machine, TABLE_HEAD + shown.flatMap(linesOf).join('\n'), ...shown.map(details)];
  await writeFile(PAGE, `${before}${BEGIN}\n\n${figures.join('\n\n')}\n\n${END}${after}`);
  await writeFile(CHART, drawChart(shown));
}

const TABLE_HEAD = '| What | Target | Measured | Met |\n|---|---|---|---|\n';

function linesOf({ row, measured }: Shown): string[] {
  return measured
    .filter(({ target }) => target)
    .map((one) => {
      const reached = holds(one) ? 'yes' : '**no**';
      return `| ${row.title}: ${one.what} | ${targetAsText(one)} | ${figureAsText(one)} | ${reached} |`;
    });
}

function details({ row, measured, rounds, seed }: Shown): string {
  const lines = measured.map((one) => `- ${one.what}: ${figureAsText(one)}`);
  return [
    `## ${row.title}`,
    row.how,
    lines.join('\n'),
    `What limits it: ${row.limit}`,
    `\`npm run bench -- --only ${row.id} --rounds ${rounds} --seed ${seed}\``,
  ].join('\n\n');
}
