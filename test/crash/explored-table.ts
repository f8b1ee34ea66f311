import type { ProblemKind } from './check.ts';
import type { Explored } from './explore.ts';
import { readSection, table, writeSection } from './page.ts';
import { SCENARIOS } from './scenarios/scenarios.ts';

const KINDS: readonly ProblemKind[] = ['lost', 'doubled', 'untold', 'left over', 'different'];

const countOf = ({ failed }: Explored, kind: ProblemKind): number =>
  failed.filter(({ problems }) => problems.some((problem) => problem.kind === kind)).length;

export function inOneLine(explored: Explored): string {
  const { scenario, outcome, moments, runs } = explored;
  const counts = KINDS.map((kind) => `${kind} ${countOf(explored, kind)}`);
  return `${scenario} · ${outcome}: ${moments} moments, ${runs} runs, ${counts.join(', ')}`;
}

/** What is chosen by a seed, in the order of the table. */
export const SAMPLED = {
  twoCrashes: 'two requests, two crashes',
  twoProcesses: 'two processes, one frozen',
  onSqlite: 'model and code, one process',
  onPostgres: 'model and code, two replicas',
} as const;

const HEADS = ['Scenario', 'Outcomes of the POST', 'Most moments in a run', 'Runs'];
const NAMES = [...SCENARIOS.map(({ name }) => name), ...Object.values(SAMPLED)];

/** Writes a row for each scenario into docs/crash-proof.md; the rows of other scenarios stay as they are. */
export async function writeExplored(all: readonly Explored[]): Promise<void> {
  const known = (await readSection('runs')).split('\n');
  const [head = '', line = '', ...rows] = tableOf(all);
  const ordered = NAMES.flatMap((name) => {
    const isItsRow = (row: string) => row.startsWith(`| ${name} |`);
    return rows.find(isItsRow) ?? known.find(isItsRow) ?? [];
  });
  await writeSection('runs', [head, line, ...ordered]);
}

/** A row for each scenario, with all its outcomes together. */
function tableOf(all: readonly Explored[]): string[] {
  const scenarios = Map.groupBy(all, ({ scenario }) => scenario);
  const rows = [...scenarios].map(([scenario, explored]) => [
    scenario,
    explored[0]?.outcome === 'each' ? 'random' : explored.length,
    Math.max(...explored.map(({ moments }) => moments)),
    explored.reduce((sum, { runs }) => sum + runs, 0),
    ...KINDS.map((kind) => explored.reduce((sum, one) => sum + countOf(one, kind), 0)),
  ]);
  return table([...HEADS, 'Lost', 'Doubled', 'Untold', 'Left over', 'Different'], rows);
}
