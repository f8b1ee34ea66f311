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

These are shown by other tests:

  3   nothing was sent           service/create-card-phases
  4   500, 502, 503, 504         journeys/sending, service/read-failures
  5   a stalled service          journeys/form-opening, form-retries
  7   replays and forgeries      journeys/replays, submission, slack/intake
  9   huge and slow senders      slack/intake/body, ops/http-server
  11  many links to one card     journeys/links-under-load
  12  429s of every shape        journeys/budget, service/rate-limit, service/budget
  19  secrets on every path      every journey, service/secrecy
  20  keys and their records     store/sealed-box, journeys/keyring; killed: npm run tool -- replicas`;

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
