import type { ProblemKind } from './check.ts';
import type { Explored } from './explore.ts';

const KINDS: readonly ProblemKind[] = ['lost', 'doubled', 'untold', 'left over', 'different'];

const countOf = ({ failed }: Explored, kind: ProblemKind): number =>
  failed.filter(({ problems }) => problems.some((problem) => problem.kind === kind)).length;

export function inOneLine(explored: Explored): string {
  const { scenario, outcome, moments, runs } = explored;
  const counts = KINDS.map((kind) => `${kind} ${countOf(explored, kind)}`);
  return `${scenario} · ${outcome}: ${moments} moments, ${runs} runs, ${counts.join(', ')}`;
}

/** What is chosen by a seed. */
export const SAMPLED = {
  twoCrashes: 'two requests, two crashes',
  twoProcesses: 'two processes, one frozen',
  onSqlite: 'model and code, one process',
  onPostgres: 'model and code, two replicas',
} as const;
