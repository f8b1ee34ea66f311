import { inject, onTestFinished } from 'vitest';
import { freshDatabase } from './fresh-database.ts';

/**
 * The URL of a Postgres database that is dropped when the test ends.
 *
 * @param options.isMigrated it has the app's tables; otherwise it is empty
 */
export async function databaseForTest(options: { isMigrated?: boolean } = {}): Promise<string> {
  const server = inject('postgresServer');
  if (!server) throw new Error('This test runs in the project “postgres” of test/vitest.config.ts');
  const template = options.isMigrated ? inject('migratedDatabase') : undefined;
  const { url, drop } = await freshDatabase(server, template);
  onTestFinished(drop);
  return url;
}
