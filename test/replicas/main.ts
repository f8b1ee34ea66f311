import { exitWithUsage, readArguments } from '../../src/commands/read-arguments.ts';
import { choose, seedOf, wholeNumber } from '../choose.ts';
import { listOf, showRow } from '../faults/run-rows.ts';
import buildIfStale from '../fresh-bundle.ts';
import { startPostgres } from '../postgres/server.ts';
import { onReplicas } from './deployment.ts';
import { REPLICA_ROWS } from './rows.ts';

const USAGE = `npm run tool -- replicas [--row 1,6] [--replicas 2,4] [--seed N] [--runs N]

  --row       only these rows; by default all
  --replicas  how many; by default two, then four; row 14 also with one
  --seed      repeats the random choices of a run; by default a new one
  --runs      how often each fault is caused, instead of each row's own number

${listOf(REPLICA_ROWS)}`;

const { values: given } = readArguments(USAGE, {
  row: { type: 'string' },
  replicas: { type: 'string' },
  seed: { type: 'string' },
  runs: { type: 'string' },
});
if (given.replicas !== undefined && !/^[1-9]\d?(,[1-9]\d?)*$/.test(given.replicas)) {
  const problem = `--replicas must be numbers from 1 to 99, as in 2,4, not “${given.replicas}”.`;
  exitWithUsage(USAGE, problem);
}
const rows = choose(USAGE, given.row, REPLICA_ROWS, ({ row }) => String(row));
const seed = seedOf(USAGE, given);
const runs = wholeNumber(USAGE, given, 'runs', { least: 1 });
buildIfStale();

const server = await startPostgres({ durable: true });
let failed = 0;
try {
  for (const row of rows) {
    const byDefault = row.row === 14 ? '1,2,4' : '2,4';
    for (const replicas of (given.replicas ?? byDefault).split(',').map(Number)) {
      const where = `${replicas} replicas, `;
      const show = () => showRow(row, { seed, runs, where });
      if (!(await onReplicas({ postgres: server.url, replicas }, show))) failed += 1;
    }
  }
} finally {
  await server.stop();
}
process.exit(failed > 0 ? 1 : 0);
