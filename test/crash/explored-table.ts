import type { ProblemKind } from './check.ts';
import type { Explored } from './explore.ts';
import { table } from './page.ts';

const KINDS: readonly ProblemKind[] = ['lost', 'doubled', 'untold', 'left over', 'different'];

const countOf = ({ failed }: Explored, kind: ProblemKind): number =>
  failed.filter(({ problems }) => problems.some((problem) => problem.kind === kind)).length;

export function inOneLine(explored: Explored): string {
  const { scenario, outcome, moments, runs } = explored;
  const counts = KINDS.map((kind) => `${kind} ${countOf(explored, kind)}`);
  return `${scenario} · ${outcome}: ${moments} moments, ${runs} runs, ${counts.join(', ')}`;
}

/** A row for each scenario, with all its outcomes together. */
export function tableOf(all: readonly Explored[]): string[] {
  const scenarios = Map.groupBy(all, ({ scenario }) => scenario);
  const rows = [...scenarios].map(([scenario, explored]) => [
    scenario,
    explored[0]?.outcome === 'each' ? 'random' : explored.length,
    Math.max(...explored.map(({ moments }) => moments)),
    explored.reduce((sum, { runs }) => sum + runs, 0),
    ...KINDS.map((kind) => explored.reduce((sum, one) => sum + countOf(one, kind), 0)),
  ]);
  const heads = ['Scenario', 'Outcomes of the POST', 'Most moments in a run', 'Runs'];
  return table([...heads, 'Lost', 'Doubled', 'Untold', 'Left over', 'Different'], rows);
}
