import { readSection, table, writeSection } from '../crash/page.ts';
import type { Mutation } from './mutation.ts';
import { MUTATIONS } from './mutations.ts';
import type { Report } from './try-mutation.ts';

const HEADS = ['Without', 'Crash runs', 'Model and code compared', 'Model'];

/** Writes a row for each report into docs/crash-proof.md; the rows of other mutations stay as they are. */
export async function writeReports(reports: readonly Report[]): Promise<void> {
  const lines = (await readSection('mutations')).split('\n');
  const rows = MUTATIONS.flatMap((mutation) => {
    const report = reports.find((one) => one.mutation === mutation);
    if (report) return [table(HEADS, [rowOf(report)]).slice(2)];
    const known = lines.find((line) => line.startsWith(`| ${nameOf(mutation)} |`));
    return known === undefined ? [] : [[known]];
  });
  const otherwise = MUTATIONS.flatMap(({ safeguard, otherwise: why }) =>
    why === undefined ? [] : [`- Without “${safeguard}”: ${why}`],
  );
  await writeSection('mutations', [...table(HEADS, []), ...rows.flat(), '', ...otherwise]);
}

const nameOf = ({ safeguard, file }: Mutation): string =>
  `${safeguard} (\`${file.replace('src/', '')}\`)`;

/** Which proof noticed that the safeguard was missing. */
const rowOf = (report: Report): string[] => [
  nameOf(report.mutation),
  crashCell(report),
  historiesCell(report),
  modelCell(report),
];

function crashCell({ crash: { found, runs, seconds } }: Report): string {
  const took = `${runs} ${runs === 1 ? 'run' : 'runs'}, ${seconds.toFixed(0)} s`;
  const [problem] = found?.problems ?? [];
  return problem ? `**${problem.kind}** (${took})` : `nothing (${took})`;
}

function historiesCell({ histories: { found, seconds } }: Report): string {
  if (found === undefined) return `no difference (${seconds.toFixed(0)} s)`;
  const what = found.startsWith('takes') ? 'the model’s violation happens' : 'they differ';
  return `**${what}** (${seconds.toFixed(0)} s)`;
}

function modelCell({ model }: Report): string {
  return model?.found ? `**${model.found.violation}**, ${model.found.trace.length} steps` : '';
}
