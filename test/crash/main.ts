import { readArguments } from '../../src/commands/read-arguments.ts';
import { seedOf, wholeNumber } from '../choose.ts';
import { drawDiagram, writeDiagram } from '../model/diagram.ts';
import { runModel } from '../model/run-model.ts';
import { startPostgres } from '../postgres/server.ts';
import { type Explored, explore, inOneLine, sample } from './explore.ts';
import { openRunner } from './run.ts';
import { needsPostgres, runOf, TWO_CRASHES, TWO_PROCESSES } from './run-number.ts';
import { SCENARIOS } from './scenarios.ts';

const USAGE = `npm run tool -- crash [--quick] [--model] [--scenario TEXT] [--seed N] [--samples N] [--replicas N] [--write]
npm run tool -- crash --run NUMBER [--tries N] [--log]

  --quick    crash only once among moments that leave the same data behind
  --model    explore only the model; without a scenario or a run it is explored first
  --scenario only the one with this name, or those whose names contain it, of those below
  --seed     where seeded runs begin; random by default
  --samples  how many runs with two requests and two crashes
  --replicas how many runs with two processes on Postgres
  --run      repeat one run, and print everything that happens in it
  --tries    repeat that run until a problem recurs, at most so often; once by default
  --log      also print the app's log of that run
  --write    write the diagram of states into docs/reliability.md

${SCENARIOS.map(({ name }) => `  ${name}`).join('\n')}`;

const SAMPLES = 1_000;
const REPLICAS = 200;
/** Between lines that say how far a long part is. */
const PROGRESS_EVERY = 100;
const print = (line: string) => process.stdout.write(`${line}\n`);

const { values: given } = readArguments(USAGE, {
  quick: { type: 'boolean', default: false },
  scenario: { type: 'string' },
  seed: { type: 'string' },
  samples: { type: 'string' },
  replicas: { type: 'string' },
  run: { type: 'string' },
  tries: { type: 'string' },
  log: { type: 'boolean', default: false },
  model: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
});

const { scenario: asked = '' } = given;
const isName = SCENARIOS.some(({ name }) => name === asked);
// A scenario or a run that is named is wanted alone.
const isNarrowed = given.run !== undefined || given.scenario !== undefined;
const countOf = (option: string, usual: number) =>
  wholeNumber(USAGE, given, option) ?? (isNarrowed ? 0 : usual);
const samples = countOf('samples', SAMPLES);
const replicas = countOf('replicas', REPLICAS);
const number = wholeNumber(USAGE, given, 'run');
const mostTries = wholeNumber(USAGE, given, 'tries', { least: 1 }) ?? 1;
const seed = seedOf(USAGE, given);
if (given.write) await writeDiagram(drawDiagram());
if (given.model || !isNarrowed) {
  const isModelFine = runModel(given.quick, print);
  if (given.model || !isModelFine) process.exit(isModelFine ? 0 : 1);
}

const isOnPostgres = number === undefined ? replicas > 0 : needsPostgres(number);
const postgres = isOnPostgres ? await startPostgres() : undefined;
const server = postgres ? { postgres: postgres.url } : {};
const isFine = number === undefined ? await tryAll() : await repeat(number);
await postgres?.stop();
process.exit(isFine ? 0 : 1);

async function tryAll(): Promise<boolean> {
  const begunAt = performance.now();
  print(`seed ${seed}`);
  const runner = await openRunner(server);
  const all = await explore(runner, {
    extent: given.quick ? 'quick' : 'all',
    only: (name) => (isName ? name === asked : name.includes(asked)),
    onExplored: show,
  });
  const sampled = [
    { name: 'two requests, two crashes', first: TWO_CRASHES + seed, runs: samples },
    { name: 'two processes, one frozen', first: TWO_PROCESSES + seed, runs: replicas },
  ];
  for (const one of sampled) {
    if (one.runs === 0) continue;
    const result = await sample(runner, one, { onRun: progress(one) });
    show(result);
    all.push(result);
  }
  await runner.close();
  const runs = all.reduce((sum, one) => sum + one.runs, 0);
  const seconds = Math.round((performance.now() - begunAt) / 1_000);
  print(`${runs} runs in ${seconds} s`);
  return all.every(({ failed }) => failed.length === 0);
}

function progress({ name, runs }: { name: string; runs: number }): (done: number) => void {
  return (done) => {
    if (done % PROGRESS_EVERY === 0 && done < runs) print(`${name}: ${done} of ${runs}`);
  };
}

function show(explored: Explored): void {
  print(inOneLine(explored));
  for (const { number: failed, problems } of explored.failed) {
    for (const { kind, words } of problems) print(`  --run ${failed}: ${kind}: ${words}`);
  }
}

async function repeat(wanted: number): Promise<boolean> {
  const runner = await openRunner(server);
  let { moments, log, problems } = await runner.run(runOf(wanted));
  for (let tries = 1; problems.length === 0 && tries < mostTries; tries += 1) {
    ({ moments, log, problems } = await runner.run(runOf(wanted)));
  }
  await runner.close();
  for (const [index, { process: name, label }] of moments.entries()) {
    print(`${index + 1}  ${name}  ${label}`);
  }
  if (given.log) for (const line of log) print(line);
  for (const { kind, words } of problems) print(`${kind}: ${words}`);
  print(problems.length === 0 ? 'no problem' : 'PROBLEMS FOUND');
  return problems.length === 0;
}
