import { aligned, readArguments } from '../../src/commands/read-arguments.ts';
import { choose, seedOf, wholeNumber } from '../choose.ts';
import buildIfStale from '../fresh-bundle.ts';
import { countsAsText, type Figures, measurementsAsText, type Row } from './figures.ts';
import { ROWS } from './rows.ts';

const faults = ROWS.map(({ row, title, runs }) => [String(row), title, `${runs.full} runs`]);
const USAGE = `npm run tool -- faults [--row 1,2] [--seed N] [--runs N]

  --row    only these rows; by default all
  --seed   repeats the random choices of a run; by default a new one
  --runs   how often each fault is caused, instead of each row's own number

${aligned(faults, '  ')}

These are shown elsewhere, all but the kill of 20 by npm test:

  4   500, 502, 503, 504      test/journeys/sending.test.ts, test/service/read-failures.test.ts
  19  secrets on every path   every journey (test/journeys/secrets.ts), test/service/secrecy.test.ts
  20  keys and their records  test/store/sealed-box.test.ts, test/journeys/keyring.test.ts; killed: npm run tool -- replicas`;

const { stdout } = process;
const print = (line: string) => stdout.write(`${line}\n`);

const { values: given } = readArguments(USAGE, {
  row: { type: 'string' },
  seed: { type: 'string' },
  runs: { type: 'string' },
});
const rows = choose(USAGE, given.row, ROWS, ({ row }) => String(row));
const seed = seedOf(USAGE, given);
const asked = wholeNumber(USAGE, given, 'runs', { least: 1 });
buildIfStale();
print(`seed ${seed}`);

const shown: Figures[] = [];
for (const row of rows) shown.push(await show(row, asked ?? row.runs.full));
const failed = shown.filter(({ holds }) => !holds);
for (const { row, title } of failed) print(`Row ${row} failed: ${title}`);
process.exit(failed.length > 0 ? 1 : 0);

async function show(row: Row, runs: number): Promise<Figures> {
  print(`\n${row.row}  ${row.title} (${runs} runs, seed ${seed})`);
  const started = performance.now();
  const say = (progress: string) => print(`    … ${progress}`);
  const figures = await row.run({ seed, runs, say }).catch((error) => broken(row, error));
  print(`    ${countsAsText(figures)}`);
  print(`    ${measurementsAsText(figures)}`);
  if (figures.mutation) print(`    without the safeguard: ${figures.mutation}`);
  const seconds = Math.round((performance.now() - started) / 1_000);
  print(`    ${figures.holds ? 'passed' : 'FAILED'} (${seconds} s)`);
  return figures;
}

/** A row that couldn't be completed fails. */
function broken({ row, title }: Row, error: unknown): Figures {
  const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { row, title, counts: {}, measured: { 'ended by': why }, holds: false, mutation: '' };
}
