import { table } from '../crash/page.ts';
import type { Report } from './try-mutation.ts';

/** A row for each safeguard: which proof noticed that it was missing. */
export function tableOf(reports: readonly Report[]): string[] {
  const rows = reports.map((report) => [
    `${report.mutation.safeguard} (\`${report.mutation.file.replace('src/', '')}\`)`,
    crashCell(report),
    historiesCell(report),
    modelCell(report),
  ]);
  const heads = ['Without', 'Crash runs', 'Model and code compared', 'Model'];
  const unnoticed = reports.filter(({ isNoticed }) => !isNoticed);
  return [
    ...table(heads, rows),
    '',
    ...unnoticed.map(
      ({ mutation }) => `- Unnoticed: ${mutation.safeguard}. ${mutation.otherwise ?? ''}`,
    ),
  ];
}

function crashCell({ crash: { found, runs, seconds } }: Report): string {
  const took = `${runs} runs, ${seconds.toFixed(0)} s`;
  const [problem] = found?.problems ?? [];
  return problem ? `${problem.kind} (${took})` : `nothing (${took})`;
}

function historiesCell({ histories: { found, seconds } }: Report): string {
  if (found === undefined) return `no difference (${seconds.toFixed(0)} s)`;
  return `${found.startsWith('takes') ? 'the model’s violation happens' : 'they differ'} (${seconds.toFixed(0)} s)`;
}

function modelCell({ model }: Report): string {
  return model?.found ? `${model.found.violation}, ${model.found.trace.length} steps` : '';
}
