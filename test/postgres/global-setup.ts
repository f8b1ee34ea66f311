import type { TestProject } from 'vitest/node';
import { startPostgres } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The Postgres of this run, without a database's name; undefined in tests on SQLite. */
    postgresServer: string | undefined;
  }
}

/** One Postgres for all tests that run on it, each in databases of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  project.provide('postgresServer', server.url);
  return server.stop;
}
