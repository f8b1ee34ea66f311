import { configFromEnvironment } from '../config/config.ts';
import { lockDatabase, migrateDatabase } from '../store/database.ts';
import { runCommand } from './run-command.ts';

// The release step: migrates the database before the app starts.
await runCommand(async () => {
  const { database } = configFromEnvironment();
  const lock = await lockDatabase(database);
  const ran = await migrateDatabase(database);
  lock.release();
  process.stdout.write(`${ran.length > 0 ? `Migrated: ${ran.join(', ')}` : 'Up to date.'}\n`);
});
