import type { Problem, ProblemKind } from './check.ts';
import type { Run, Runner, RunResult } from './run.ts';
import { numberOf, runOf } from './run-number.ts';
import type { Scenario } from './scenario.ts';
import { OUTCOMES, type Outcome } from './scenario.ts';
import { SCENARIOS } from './scenarios.ts';
import type { Moment } from './world/processes.ts';

/** The results of all runs of one scenario with one outcome of the POST. */
export type Explored = {
  scenario: string;
  outcome: string;
  /** How many moments the longest run had; the process can end at each. */
  moments: number;
  runs: number;
  failed: { number: number; problems: Problem[] }[];
};

type ExploreOptions = {
  /** `all` ends the process at each moment, `quick` once in each epoch, `test` in some, with fewer outcomes. */
  extent: 'all' | 'quick' | 'test';
  endsAtFirst?: boolean;
  only?: (scenario: string) => boolean;
  onExplored?: (explored: Explored) => void;
};

/** In tests, for one scenario with one outcome. */
const MOST_MOMENTS_IN_TESTS = 7;

/** Runs every scenario with every outcome of the POST, ending the process at each of its moments. */
export async function explore(runner: Runner, options: ExploreOptions): Promise<Explored[]> {
  const { only = () => true, onExplored = () => undefined } = options;
  const all: Explored[] = [];
  for (const [index, scenario] of SCENARIOS.entries()) {
    if (!only(scenario.name)) continue;
    let usual: readonly Moment[] | undefined;
    for (const outcome of outcomesOf(scenario, options)) {
      const calm = await tryRun(runner, numberOf(index, outcome));
      if (outcome === 'done') usual = calm.moments;
      usual ??= (await tryRun(runner, numberOf(index, 'done'))).moments;
      const explored = await exploreOutcome(runner, { index, outcome, calm, usual }, options);
      all.push(explored);
      onExplored(explored);
      if (options.endsAtFirst && explored.failed.length > 0) return all;
    }
  }
  return all;
}

const outcomesOf = (scenario: Scenario, { extent }: ExploreOptions): readonly Outcome[] =>
  extent === 'test' ? scenario.outcomesInTests : (scenario.outcomes ?? OUTCOMES);

type Toward = { index: number; outcome: Outcome; calm: Tried; usual: readonly Moment[] };

async function exploreOutcome(
  runner: Runner,
  { index, outcome, calm, usual }: Toward,
  { extent, endsAtFirst }: ExploreOptions,
): Promise<Explored> {
  const first = numberOf(index, outcome);
  const { moments } = calm;
  const explored: Explored = {
    scenario: SCENARIOS[index]?.name ?? '',
    outcome,
    moments: moments.length,
    runs: 0,
    failed: [],
  };
  function note(number: number, { problems }: Tried): void {
    explored.runs += 1;
    if (problems.length > 0) explored.failed.push({ number, problems });
  }

  note(first, calm);
  for (const moment of chooseMoments(moments, { usual, outcome, extent })) {
    if (endsAtFirst && explored.failed.length > 0) break;
    const number = first + moment + 1;
    note(number, await tryRun(runner, number));
  }
  return explored;
}

function chooseMoments(
  moments: readonly Moment[],
  how: { usual: readonly Moment[]; outcome: Outcome; extent: ExploreOptions['extent'] },
): number[] {
  if (how.extent === 'all') return [...moments.keys()];
  const from = how.outcome === 'done' ? 0 : firstDifference(moments, how.usual);
  const distinct = onePerEpoch(moments, from);
  const every = how.extent === 'test' ? Math.ceil(distinct.length / MOST_MOMENTS_IN_TESTS) : 1;
  return distinct.filter((_, index) => index % every === 0);
}

type SampleOptions = {
  endsAtFirst?: boolean;
  only?: (run: Run) => boolean;
  /** Receives how many runs are done, after each. */
  onRun?: (runs: number) => void;
};

export async function sample(
  runner: Runner,
  { name, first, runs }: { name: string; first: number; runs: number },
  { endsAtFirst = false, only = () => true, onRun }: SampleOptions = {},
): Promise<Explored> {
  const explored: Explored = { scenario: name, outcome: 'each', moments: 0, runs: 0, failed: [] };
  for (let number = first; explored.runs < runs; number += 1) {
    if (!only(runOf(number))) continue;
    const { moments, problems } = await tryRun(runner, number);
    explored.runs += 1;
    explored.moments = Math.max(explored.moments, moments.length);
    if (problems.length > 0) explored.failed.push({ number, problems });
    onRun?.(explored.runs);
    if (endsAtFirst && problems.length > 0) break;
  }
  return explored;
}

type Tried = Pick<RunResult, 'moments' | 'problems'>;

/** A run that fails to end counts as a problem: somebody would wait forever. */
async function tryRun(runner: Runner, number: number): Promise<Tried> {
  try {
    return await runner.run(runOf(number));
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return { moments: [], problems: [{ kind: 'lost', words }] };
  }
}

/** The last moment of each epoch from there on; the data is the same in the others. */
const onePerEpoch = (moments: readonly Moment[], from: number): number[] =>
  [...moments.keys()].filter(
    (index) => index >= from && moments[index]?.epoch !== moments[index + 1]?.epoch,
  );

const firstDifference = (moments: readonly Moment[], usual: readonly Moment[]): number =>
  moments.findIndex(({ label }, index) => label !== usual[index]?.label);

const KINDS: readonly ProblemKind[] = ['lost', 'doubled', 'untold', 'left over', 'different'];

const countOf = ({ failed }: Explored, kind: ProblemKind): number =>
  failed.filter(({ problems }) => problems.some((problem) => problem.kind === kind)).length;

export function inOneLine(explored: Explored): string {
  const { scenario, outcome, moments, runs } = explored;
  const counts = KINDS.map((kind) => `${kind} ${countOf(explored, kind)}`);
  return `${scenario} · ${outcome}: ${moments} moments, ${runs} runs, ${counts.join(', ')}`;
}
