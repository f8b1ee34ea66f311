import { parseArgs } from 'node:util';
import { configFromEnvironment } from '../config/config.ts';
import { parseDatabaseUrl } from '../config/database.ts';
import { OperatorError } from '../ops/operator-error.ts';
import { isPostgres } from '../store/database-location.ts';
import { moveToPostgres } from '../store/postgres/move-to-postgres.ts';

const USAGE = `Usage: npm run move -- --to postgres://…      from the SQLite database of DATABASE_URL
       npm run move -- --from sqlite:<file>   into the Postgres database of DATABASE_URL
`;

// Moves everything from SQLite into Postgres, while the app is stopped.
const { values: given } = parseArgs({
  options: { from: { type: 'string' }, to: { type: 'string' } },
  strict: false,
});
if ((given.from === undefined) === (given.to === undefined)) {
  process.stderr.write(USAGE);
  process.exit(2);
}
try {
  const { database } = configFromEnvironment();
  const from = given.from === undefined ? database : parseDatabaseUrl('--from', `${given.from}`);
  const to = given.to === undefined ? database : parseDatabaseUrl('--to', `${given.to}`);
  if (isPostgres(from) || !isPostgres(to)) {
    throw new OperatorError(`It moves from SQLite into Postgres, and nowhere else.\n\n${USAGE}`);
  }
  const { rows, keptAs } = await moveToPostgres(from, to, new Date());
  for (const [table, count] of Object.entries(rows)) process.stdout.write(`${table}: ${count}\n`);
  process.stdout.write(
    `Everything is in Postgres. Start the app with DATABASE_URL set to it; the SQLite database is kept as ${keptAs}.\n`,
  );
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
