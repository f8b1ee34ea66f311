import { configFromEnvironment } from '../config/config.ts';
import { OperatorError } from '../ops/operator-error.ts';
import { lockDatabase, migrateDatabase } from '../store/database.ts';

// The release step: brings the tables up to date before the app starts, and says what it did.
try {
  const { database } = configFromEnvironment();
  const lock = await lockDatabase(database);
  const ran = await migrateDatabase(database);
  lock.release();
  process.stdout.write(`${ran.length > 0 ? `Migrated: ${ran.join(', ')}` : 'Up to date.'}\n`);
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
