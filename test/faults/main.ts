import { readArguments } from '../../src/commands/read-arguments.ts';
import { choose, seedOf, wholeNumber } from '../choose.ts';
import buildIfStale from '../fresh-bundle.ts';
import { ROWS } from './rows.ts';
import { listOf, showRow } from './run-rows.ts';

const USAGE = `npm run tool -- faults [--row 1,2] [--seed N] [--runs N]

  --row    only these rows; by default all
  --seed   repeats the random choices of a run; by default a new one
  --runs   how often each fault is caused, instead of each row's own number

${listOf(ROWS)}

These are shown by other tests:

  3   nothing was sent           service/create-card-phases
  4   500, 502, 503, 504         journeys/sending, service/read-failures
  5   a stalled service          journeys/form-opening, form-retries
  7   replays and forgeries      journeys/replays, submission, slack/intake
  9   huge and slow senders      slack/intake/body, ops/http-server
  10  a failing database         requests/torn-writes, journeys/locked-database, processes/failing-disk
  11  many links to one card     journeys/links-under-load
  12  429s of every shape        journeys/budget, service/rate-limit, service/budget
  15  a key that is refused      service/service-access, journeys/links-unreadable; npm run tool -- crash
  19  secrets on every path      every journey, service/secrecy
  20  keys and their records     store/sealed-box, journeys/keyring, postgres/processes
  21  expired response_url       journeys/late-changes`;

const { values: given } = readArguments(USAGE, {
  row: { type: 'string' },
  seed: { type: 'string' },
  runs: { type: 'string' },
});
const rows = choose(USAGE, given.row, ROWS, ({ row }) => String(row));
const seed = seedOf(USAGE, given);
const runs = wholeNumber(USAGE, given, 'runs', { least: 1 });
buildIfStale();

const failed: string[] = [];
for (const row of rows) {
  if (!(await showRow(row, { seed, runs, where: '' }))) failed.push(`${row.row}: ${row.title}`);
}
for (const row of failed) process.stdout.write(`Row ${row} failed\n`);
process.exit(failed.length > 0 ? 1 : 0);
