import { inject, onTestFinished } from 'vitest';
import { freshDatabase } from './fresh-database.ts';

/** The URL of an empty Postgres database, which is deleted when the test ends. */
export async function databaseForTest(): Promise<string> {
  const server = inject('postgresServer');
  if (!server) throw new Error('This test runs in the project “postgres” of test/vitest.config.ts');
  const { url, drop } = await freshDatabase(server);
  onTestFinished(drop);
  return url;
}
