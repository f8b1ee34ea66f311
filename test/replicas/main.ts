import { aligned, exitWithUsage, readArguments } from '../../src/commands/read-arguments.ts';
import { choose, seedOf, wholeNumber } from '../choose.ts';
import { countsAsText, measurementsAsText, type Row } from '../faults/figures.ts';
import buildIfStale from '../fresh-bundle.ts';
import { startPostgres } from '../postgres/server.ts';
import { onReplicas } from './deployment.ts';
import { REPLICA_ROWS } from './rows.ts';

const faults = REPLICA_ROWS.map(({ row, title, runs }) => [
  String(row),
  title,
  `${runs.full} runs`,
]);
const USAGE = `npm run tool -- replicas [--row 1,6] [--replicas 2,4] [--seed N] [--runs N]

  --row       only these rows; by default all
  --replicas  how many; by default two, then four
  --seed      repeats the random choices of a run; by default a new one
  --runs      how often each fault is caused, instead of each row's own number

${aligned(faults, '  ')}`;

const REPLICAS = [2, 4];
const print = (line: string) => process.stdout.write(`${line}\n`);

const { values: given } = readArguments(USAGE, {
  row: { type: 'string' },
  replicas: { type: 'string' },
  seed: { type: 'string' },
  runs: { type: 'string' },
});
const rows = choose(USAGE, given.row, REPLICA_ROWS, ({ row }) => String(row));
const sizes = sizesIn(given.replicas) ?? REPLICAS;
const seed = seedOf(USAGE, given);
const asked = wholeNumber(USAGE, given, 'runs', { least: 1 });
buildIfStale();

print(`seed ${seed}`);
const server = await startPostgres({ durable: true });
let failed = 0;
try {
  for (const row of rows) {
    for (const replicas of sizes) if (!(await show(row, replicas))) failed += 1;
  }
} finally {
  await server.stop();
}
process.exit(failed > 0 ? 1 : 0);

function sizesIn(text: string | undefined): number[] | undefined {
  if (text === undefined || /^[1-9]\d?(,[1-9]\d?)*$/.test(text))
    return text?.split(',').map(Number);
  return exitWithUsage(USAGE, `--replicas must be numbers from 1 to 99, as in 2,4, not “${text}”.`);
}

async function show(row: Row, replicas: number): Promise<boolean> {
  const runs = asked ?? row.runs.full;
  print(`\n${row.row}  ${row.title} (${replicas} replicas, ${runs} runs)`);
  const started = performance.now();
  const say = (progress: string) => print(`    … ${progress}`);
  try {
    const figures = await onReplicas({ postgres: server.url, replicas }, () =>
      row.run({ seed, runs, say }),
    );
    print(`    ${countsAsText(figures)}`);
    print(`    ${measurementsAsText(figures)}`);
    const seconds = Math.round((performance.now() - started) / 1_000);
    print(`    ${figures.holds ? 'passed' : 'FAILED'} (${seconds} s)`);
    return figures.holds;
  } catch (error) {
    print(
      `    ended by ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    return false;
  }
}
