import { parseArgs } from 'node:util';
import { type Explored, explore, sample } from '../../crash/explore.ts';
import { openRunner, type Run } from '../../crash/run.ts';
import { TWO_CRASHES, TWO_PROCESSES } from '../../crash/run-number.ts';
import type { Search, SearchResult } from '../mutation.ts';

/** Searches the code in this folder for what goes wrong, and prints what it found as JSON. */
const { values: given } = parseArgs({
  options: {
    search: { type: 'string', default: '{}' },
    postgres: { type: 'string', default: '' },
  },
});
const search: Search = JSON.parse(given.search);
const SEED = 1;

process.stdout.write(`${JSON.stringify(await searchRuns())}\n`);
process.exit(0);

async function searchRuns(): Promise<SearchResult> {
  const runner = await openRunner({ postgres: given.postgres });
  const begunAt = performance.now();
  const { oneCrash } = search;
  const steps: readonly (() => Promise<Explored[]>)[] = [
    async () => {
      if (oneCrash === undefined) return [];
      const extent = search.everyMoment ? 'all' : 'quick';
      const only = (scenario: string) => scenario.includes(oneCrash);
      return explore(runner, { extent, endsAtFirst: true, only });
    },
    () => sampleRuns(TWO_CRASHES, search.twoCrashes),
    () => sampleRuns(TWO_PROCESSES, search.twoProcesses, search.scenarioOfTwoProcesses),
  ];

  async function sampleRuns(first: number, runs = 0, scenario = ''): Promise<Explored[]> {
    if (runs === 0) return [];
    const options = {
      endsAtFirst: true,
      only: (run: Run) => run.scenario.name.includes(scenario),
    };
    return [await sample(runner, { name: '', first: first + SEED, runs }, options)];
  }

  let runs = 0;
  const seconds = () => (performance.now() - begunAt) / 1_000;
  for (const step of steps) {
    const explored = await step();
    runs += explored.reduce((sum, one) => sum + one.runs, 0);
    const [failed] = explored.flatMap((one) => one.failed);
    if (!failed) continue;
    const { number: run, problems } = failed;
    return { runs, seconds: seconds(), found: { run, problems } };
  }
  await runner.close();
  return { runs, seconds: seconds() };
}
