import { parseArgs } from 'node:util';
import { type Explored, explore, sample } from '../../crash/explore.ts';
import { openRunner, type Run } from '../../crash/run.ts';
import { TWO_CRASHES, TWO_PROCESSES } from '../../crash/run-number.ts';
import { type Histories, openHistories } from '../../model/code/histories.ts';
import type { Safeguard } from '../../model/protocol/safeguards.ts';
import type { Search, SearchResult } from '../mutation.ts';

/** Searches the code in this folder for what goes wrong, and prints what it found as JSON. */
const { values: given } = parseArgs({
  options: {
    search: { type: 'string', default: '{}' },
    /** The safeguard that the model has, too. */
    model: { type: 'string' },
    postgres: { type: 'string', default: '' },
  },
});
const search: Search = JSON.parse(given.search);
const SEED = 1;
const HISTORIES = 8;
const { postgres } = given;

const result: SearchResult = { crash: await searchRuns(), histories: await searchHistories() };
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);

async function searchRuns(): Promise<SearchResult['crash']> {
  const runner = await openRunner({ postgres });
  const begunAt = performance.now();
  const steps: readonly (() => Promise<Explored[]>)[] = [
    async () => {
      if (search.oneCrash === undefined) return [];
      const extent = search.everyMoment ? 'all' : 'quick';
      return explore(runner, { extent, endsAtFirst: true, only: named(search.oneCrash) });
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

function named(part: string) {
  return (scenario: string) => scenario.includes(part);
}

async function searchHistories(): Promise<SearchResult['histories']> {
  const histories = await openHistories({ postgres });
  const begunAt = performance.now();
  const found = await findDifference(histories);
  const seconds = (performance.now() - begunAt) / 1_000;
  await histories.close();
  return { seconds, ...(found === undefined ? {} : { found }) };
}

async function findDifference(histories: Histories): Promise<string | undefined> {
  if (given.model !== undefined) {
    const { happened, differences } = await histories.violation(given.model as Safeguard);
    const last = happened.at(-1)?.name;
    if (differences.length === 0 && given.model !== 'abandonedJobsAreReclaimed') {
      return `takes all ${happened.length} steps to the violation, up to ${last}`;
    }
  }
  for (const [where, play] of [
    ['SQLite', histories.onSqlite],
    ['Postgres', histories.onPostgres],
  ] as const) {
    for (let seed = SEED; seed < SEED + HISTORIES; seed += 1) {
      const { happened, differences } = await play(seed);
      if (differences.length === 0) continue;
      return `differs in history ${seed} on ${where} after ${happened.length} steps (${happened.at(-1)?.name}): ${differences[0]}`;
    }
  }
  return undefined;
}
