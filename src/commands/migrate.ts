import { configFromEnvironment } from '../config/config.ts';
import { lockDatabase, migrateDatabase } from '../store/database.ts';
import { readArguments, runCommand } from './run-command.ts';

const USAGE = `npm run migrate

Migrates the database, as the app does when it starts. Use it as the release step.`;

readArguments(USAGE, {});
await runCommand(async () => {
  const { database } = configFromEnvironment();
  const lock = await lockDatabase(database);
  const ran = await migrateDatabase(database);
  lock.release();
  process.stdout.write(`${ran.length > 0 ? `Migrated: ${ran.join(', ')}` : 'Up to date.'}\n`);
});
