import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, migrateDatabase, openDatabase } from '../../../src/store/database.ts';
import { installVirtualTime } from '../../crash/process/virtual-time.ts';
import { createTemplate } from '../../crash/world/database.ts';
import { freshDatabase } from '../../postgres/fresh-database.ts';
import { explore } from '../explore.ts';
import type { Rules, Safeguard } from '../protocol/safeguards.ts';
import type { Scope } from '../protocol/state.ts';
import { SCOPE_OF_MUTATIONS } from '../run-model.ts';
import { inWords } from '../words.ts';
import { type Compared, compareRandomHistory, compareTrace } from './compare.ts';

/** Runs histories through the model and the code, each with its own database. */
export type Histories = Awaited<ReturnType<typeof openHistories>>;

/** In every other history, missing jobs are added at a start; in the others no job may ever be lost. */
const scopeOf = (workers: readonly number[], seed: number): Scope => ({
  ...{ requests: 2, interruptions: 2, budget: 2 },
  ...{ workers, resumes: seed % 2 === 0 },
});

/** @param options.postgres `postgres://…` without a database's name */
export async function openHistories(options: { postgres?: string } = {}) {
  installVirtualTime();
  const folder = await mkdtemp(join(tmpdir(), 'design-request-histories-'));
  const sqliteTemplate = await createTemplate(folder);
  let postgresTemplate: Promise<Awaited<ReturnType<typeof freshDatabase>>> | undefined;
  let histories = 0;

  async function withSqlite<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
    histories += 1;
    const path = join(folder, `${histories}.db`);
    await copyFile(sqliteTemplate, path);
    const db = openDatabase({ path });
    return work(db).finally(() => db.destroy());
  }

  async function createPostgresTemplate(server: string) {
    const template = await freshDatabase(server);
    await migrateDatabase({ url: template.url });
    return template;
  }

  async function withPostgres<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
    const { postgres } = options;
    if (postgres === undefined) throw new Error('Two replicas need a Postgres.');
    postgresTemplate ??= createPostgresTemplate(postgres);
    const { url, drop } = await freshDatabase(postgres, (await postgresTemplate).name);
    const db = openDatabase({ url });
    try {
      return await work(db);
    } finally {
      await db.destroy();
      await drop();
    }
  }

  return {
    /** One process with two workers on SQLite. */
    onSqlite: (seed: number) =>
      withSqlite((db) => compareRandomHistory(db, { scope: scopeOf([0, 0], seed) }, seed)),
    /** Two replicas with a worker each on Postgres. */
    onPostgres: (seed: number) =>
      withPostgres((db) => compareRandomHistory(db, { scope: scopeOf([0, 1], seed) }, seed)),
    /** A trace to a violation in the model without a safeguard, on Postgres. */
    async violation(without: Safeguard) {
      const rules: Rules = { scope: SCOPE_OF_MUTATIONS, without };
      const trace = explore(rules, { isReduced: true }).found?.trace ?? [];
      return withPostgres((db) => compareTrace(db, rules, trace));
    },
    async close() {
      await (await postgresTemplate)?.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The steps, one per line, then the differences. */
export const historyInWords = ({ happened, differences }: Compared): string[] => [
  ...happened.map((one, index) => `${index + 1}. ${inWords(one)}`),
  ...differences,
];
