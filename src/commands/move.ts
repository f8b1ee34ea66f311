import { configFromEnvironment } from '../config/config.ts';
import { parseDatabaseUrl } from '../config/database.ts';
import { OperatorError } from '../ops/operator-error.ts';
import { isPostgres } from '../store/database-location.ts';
import { moveToPostgres } from './database/move-to-postgres.ts';
import { UsageError } from './read-arguments.ts';

export async function move(options: {
  from?: string | undefined;
  to?: string | undefined;
}): Promise<void> {
  if ((options.from === undefined) === (options.to === undefined)) {
    throw new UsageError('Either --to or --from is needed.');
  }
  const { database } = configFromEnvironment();
  const from = options.from === undefined ? database : parseDatabaseUrl('--from', options.from);
  const to = options.to === undefined ? database : parseDatabaseUrl('--to', options.to);
  if (isPostgres(from) || !isPostgres(to)) {
    throw new OperatorError('This command only moves from SQLite to Postgres.');
  }
  const { rows, keptAs } = await moveToPostgres(from, to, new Date());
  for (const [table, count] of Object.entries(rows)) process.stdout.write(`${table}: ${count}\n`);
  process.stdout.write(
    `Everything is in Postgres. Set DATABASE_URL to it and start the app. The SQLite database was kept as ${keptAs}.\n`,
  );
}
