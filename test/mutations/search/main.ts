import { parseArgs } from 'node:util';
import { type Explored, explore, sample } from '../../crash/explore.ts';
import { openRunner } from '../../crash/run.ts';
import { TWO_CRASHES, TWO_PROCESSES } from '../../crash/run-number.ts';
import type { Search } from '../mutation.ts';
import type { SearchResult } from './result.ts';

/** Searches the code in this folder for a run with a problem, and prints what it found as JSON. */
const { values: given } = parseArgs({
  options: {
    search: { type: 'string', default: '{}' },
    postgres: { type: 'string' },
  },
});
const search: Search = JSON.parse(given.search);
const SEED = 1;
const MS_PER_SECOND = 1_000;

const runner = await openRunner(given.postgres ? { postgres: given.postgres } : {});
const begunAt = performance.now();
let runs = 0;

const steps: readonly (() => Promise<Explored[]>)[] = [
  async () => {
    const { scenarios } = search;
    if (scenarios === undefined) return [];
    const only = (name: string) => name.includes(scenarios);
    return explore(runner, { extent: 'quick', endsAtFirst: true, only });
  },
  () => sampleRuns(TWO_CRASHES, search.twoCrashes),
  () => sampleRuns(TWO_PROCESSES, search.twoProcesses),
];

const result: SearchResult = { runs: 0, seconds: 0 };
for (const step of steps) {
  const explored = await step();
  runs += explored.reduce((sum, one) => sum + one.runs, 0);
  const [failed] = explored.flatMap((one) => one.failed);
  if (!failed) continue;
  result.found = { run: failed.number, problems: failed.problems };
  break;
}
result.runs = runs;
result.seconds = (performance.now() - begunAt) / MS_PER_SECOND;
process.stdout.write(`${JSON.stringify(result)}\n`);
await runner.close();
process.exit(0);

async function sampleRuns(first: number, count = 0): Promise<Explored[]> {
  if (count === 0) return [];
  return [
    await sample(runner, { name: '', first: first + SEED, runs: count }, { endsAtFirst: true }),
  ];
}
