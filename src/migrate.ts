import { configFromEnvironment } from './config.ts';
import { migrate, openDatabase } from './store/database.ts';

// The release step: brings the tables up to date before the app starts, and says what it did.
try {
  const db = openDatabase(configFromEnvironment().database);
  const ran = await migrate(db);
  await db.destroy();
  process.stdout.write(`${ran.length > 0 ? `Migrated: ${ran.join(', ')}` : 'Up to date.'}\n`);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
