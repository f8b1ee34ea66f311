import { parseArgs } from 'node:util';
import { runModel } from '../model/run-model.ts';
import { startPostgres } from '../postgres/server.ts';
import { countOf, type Explored, explore, sample } from './explore.ts';
import { openRunner } from './run.ts';
import { runOf, TWO_CRASHES, TWO_PROCESSES } from './run-number.ts';

const USAGE = `npm run test:crash -- [--quick] [--model] [--scenario TEXT] [--first] [--seed N] [--samples N] [--replicas N]
npm run test:crash -- --run NUMBER [--log]

  --quick     moments that leave the same behind once only
  --model     only the model; it is explored first, unless a scenario or a run is given
  --scenario  only scenarios whose name contains this
  --first     ends at the first scenario with a problem
  --seed      where the runs that are left to chance begin; a new one unless given
  --samples   how many of them crash twice, with two requests
  --replicas  how many of them run two processes on Postgres
  --run       repeats one run, and prints every moment of it
  --log       prints also what the app logged in it
  --write     writes what came of the model into docs/reliability.md`;

const MS_PER_SECOND = 1_000;
const LARGEST_SEED = 1_000_000;
const SAMPLES = 1_000;
const REPLICAS = 200;
const print = (line: string) => process.stdout.write(`${line}\n`);

const { values: given } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    scenario: { type: 'string' },
    first: { type: 'boolean', default: false },
    seed: { type: 'string' },
    samples: { type: 'string' },
    replicas: { type: 'string' },
    run: { type: 'string' },
    log: { type: 'boolean', default: false },
    model: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (given.help) {
  print(USAGE);
  process.exit(0);
}

// Whoever names a scenario or a run wants that one alone.
const isNarrowed = given.run !== undefined || given.scenario !== undefined;
if (given.model || !isNarrowed) {
  const isModelFine = await runModel({ isQuick: given.quick, writes: given.write, print });
  if (given.model || !isModelFine) process.exit(isModelFine ? 0 : 1);
}

const usual = (runs: number) => (isNarrowed ? 0 : runs);
const samples = given.samples === undefined ? usual(SAMPLES) : Number(given.samples);
const replicas = given.replicas === undefined ? usual(REPLICAS) : Number(given.replicas);
const needsPostgres = given.run === undefined ? replicas > 0 : Number(given.run) >= TWO_PROCESSES;
const postgres = needsPostgres ? await startPostgres() : undefined;
const runner = await openRunner(postgres ? { postgres: postgres.url } : {});
const isFine = given.run === undefined ? await tryAll() : await repeat(Number(given.run));
await runner.close();
await postgres?.stop();
process.exit(isFine ? 0 : 1);

async function tryAll(): Promise<boolean> {
  const begunAt = performance.now();
  const seed = Number(given.seed ?? Math.floor(Math.random() * LARGEST_SEED));
  print(`seed ${seed}`);
  const all = await explore(runner, {
    extent: given.quick ? 'quick' : 'all',
    endsAtFirst: given.first,
    only: (scenario) => scenario.includes(given.scenario ?? ''),
    onExplored: show,
  });
  const left = [
    { name: 'two requests, two crashes', first: TWO_CRASHES + seed, runs: samples },
    { name: 'two processes, one frozen', first: TWO_PROCESSES + seed, runs: replicas },
  ];
  for (const one of left) {
    if (one.runs === 0 || (given.first && hasFailed(all))) continue;
    const sampled = await sample(runner, one);
    show(sampled);
    all.push(sampled);
  }
  const runs = all.reduce((sum, one) => sum + one.runs, 0);
  const seconds = Math.round((performance.now() - begunAt) / MS_PER_SECOND);
  print(`${runs} runs in ${seconds} s`);
  return !hasFailed(all);
}

function hasFailed(all: readonly Explored[]): boolean {
  return all.some(({ failed }) => failed.length > 0);
}

function show(explored: Explored): void {
  const { scenario, outcome, moments, runs, failed } = explored;
  print(
    `${scenario} · ${outcome}: ${moments} moments, ${runs} runs, lost ${countOf(explored, 'lost')}, doubled ${countOf(explored, 'doubled')}, untold ${countOf(explored, 'untold')}, left over ${countOf(explored, 'left over')}`,
  );
  for (const { number, problems } of failed) {
    for (const { kind, words } of problems) print(`  --run ${number}: ${kind}: ${words}`);
  }
}

async function repeat(number: number): Promise<boolean> {
  const { moments, log, problems } = await runner.run(runOf(number));
  for (const [index, { process, label }] of moments.entries()) {
    print(`${index + 1}  ${process}  ${label}`);
  }
  if (given.log) for (const line of log) print(line);
  for (const { kind, words } of problems) print(`${kind}: ${words}`);
  print(problems.length === 0 ? 'nothing is wrong' : 'DOES NOT HOLD');
  return problems.length === 0;
}
