import { inject, onTestFinished } from 'vitest';
import { freshDatabase } from './fresh-database.ts';
import { reusedDatabase } from './reused-databases.ts';

/**
 * The URL of a Postgres database that only this test uses.
 *
 * @param options.isMigrated it has the app's tables, which are empty; otherwise there is nothing in it
 * @param options.template the name of the database that it is a copy of, instead of the one with the app's tables
 */
export async function databaseForTest(
  options: { isMigrated?: boolean; template?: string } = {},
): Promise<string> {
  const server = inject('postgresServer');
  const migrated = inject('migratedDatabase');
  if (!server || !migrated) {
    const problem = 'This test runs in the project “postgres” of test/vitest.config.ts';
    throw new Error(inject('postgresProblem') ?? problem);
  }
  const { isMigrated, template = isMigrated ? migrated : undefined } = options;
  if (template) {
    const { url, giveBack } = await reusedDatabase(server, template);
    onTestFinished(giveBack);
    return url;
  }
  const { url, drop } = await freshDatabase(server);
  onTestFinished(drop);
  return url;
}
