import { configFromEnvironment } from '../config/config.ts';
import { lockDatabase, migrateDatabase } from '../store/database.ts';

export async function migrate(): Promise<void> {
  const { database } = configFromEnvironment();
  const lock = await lockDatabase(database);
  const ran = await migrateDatabase(database);
  lock.release();
  process.stdout.write(`${ran.length > 0 ? `Migrated: ${ran.join(', ')}` : 'Up to date.'}\n`);
}
