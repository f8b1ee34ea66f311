import { configFromEnvironment } from '../config/config.ts';
import { parseDatabaseUrl } from '../config/database.ts';
import { OperatorError } from '../ops/operator-error.ts';
import { isPostgres } from '../store/database-location.ts';
import { moveToPostgres } from './database/move-to-postgres.ts';
import { exitWithUsage, readArguments, runCommand } from './run-command.ts';

const USAGE = `npm run move -- --to postgres://…      from the SQLite database in DATABASE_URL
       npm run move -- --from sqlite:<file>   to the Postgres database in DATABASE_URL

Moves everything from SQLite to Postgres. Stop the app first.`;

const { values: options } = readArguments(USAGE, {
  from: { type: 'string' },
  to: { type: 'string' },
});
if ((options.from === undefined) === (options.to === undefined)) {
  exitWithUsage(USAGE, 'Either --to or --from is needed.');
}
await runCommand(async () => {
  const { database } = configFromEnvironment();
  const from = options.from === undefined ? database : parseDatabaseUrl('--from', options.from);
  const to = options.to === undefined ? database : parseDatabaseUrl('--to', options.to);
  if (isPostgres(from) || !isPostgres(to)) {
    throw new OperatorError(`This command only moves from SQLite to Postgres.\n\nUsage: ${USAGE}`);
  }
  const { rows, keptAs } = await moveToPostgres(from, to, new Date());
  for (const [table, count] of Object.entries(rows)) process.stdout.write(`${table}: ${count}\n`);
  process.stdout.write(
    `Everything is in Postgres. Set DATABASE_URL to it and start the app. The SQLite database was kept as ${keptAs}.\n`,
  );
});
