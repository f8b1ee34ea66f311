import type { TestProject } from 'vitest/node';
import { migrateDatabase } from '../../src/store/database.ts';
import { freshDatabase } from './fresh-database.ts';
import { startPostgres } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The Postgres of this run, without a database name; undefined in tests on SQLite. */
    postgresServer: string | undefined;
    /** The name of a migrated database there, for copying: copies take less time than migrations. */
    migratedDatabase: string | undefined;
    postgresProblem: string | undefined;
  }
}

/** One Postgres for all tests that use it, each with its own databases. Without one, only these tests fail. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | void> {
  const server = await startPostgres().catch((error: Error) => {
    project.provide('postgresProblem', error.message);
    process.stderr.write(`${error.message}\n`);
  });
  if (!server) return;
  project.provide('postgresServer', server.url);
  const { name, url } = await freshDatabase(server.url);
  await migrateDatabase({ url });
  project.provide('migratedDatabase', name);
  return server.stop;
}
