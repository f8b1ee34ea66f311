import type { TestProject } from 'vitest/node';
import { startPostgres } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The Postgres of this run, without a database name; undefined in tests on SQLite. */
    postgresServer: string | undefined;
  }
}

/** One Postgres for all tests that use it, each with its own databases. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  project.provide('postgresServer', server.url);
  return server.stop;
}
