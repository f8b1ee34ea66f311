import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { organizationIdOf } from '../../src/installations/workspace-id.ts';
import { createFormDefaults } from '../../src/requests/form-defaults.ts';
import type { Database } from '../../src/store/database.ts';
import { createEntries } from '../../src/store/entries.ts';
import { createJobStore } from '../../src/store/jobs.ts';
import { createStores, type Stores } from '../../src/store/stores.ts';
import { T1, workspaceNamed } from '../installations/ids.ts';
import { at, encryptionKey } from '../store/stores-under-test.ts';
import { databaseForTest } from './database-for-test.ts';
import { openForTest } from './postgres-stores.ts';

const NAMES = Array.from({ length: 60 }, (_, index) => `E${index}`);
const MIDDLE = 'E30';
const jobNamed = (identity: string) => ({ kind: 'event', workspaceId: T1, payload: {}, identity });
const learned = (owner: string) => ({ owner, scope: 'latest', choices: {} });

/** How a replica writes rows with one statement, or in one transaction, and how another one holds one of the rows. */
const WRITES: Record<
  string,
  {
    write(stores: Stores, names: readonly string[]): Promise<unknown>;
    hold(db: Database, name: string): Promise<unknown>;
  }
> = {
  events: {
    write: ({ jobTable }, names) =>
      Promise.all(names.map((name) => jobTable.add(jobNamed(name), at(0)))),
    hold: (db, name) => createJobStore(db).add(jobNamed(name), at(0)),
  },
  'learned defaults': {
    write: ({ transact }, names) =>
      transact(({ entries }) =>
        createFormDefaults(entries).learn(T1, names.map(learned), at(0)),
      ).catch(() => undefined),
    hold: (db, name) => createFormDefaults(createEntries(db)).learn(T1, [learned(name)], at(0)),
  },
  'workspaces of an organization': {
    write: ({ organizations }, names) =>
      organizations
        .add(organizationIdOf('E1'), names.map(workspaceNamed), at(0))
        .catch(() => undefined),
    hold: (db, name) =>
      sql`insert into organization_workspaces (workspace_id, organization_id, member_since)
        values (${name}, 'E1', 0)`.execute(db),
  },
};

it.each(Object.entries(WRITES))(
  '%s are written by two replicas in opposite orders without a deadlock',
  async (_, { write, hold }) => {
    const url = await databaseForTest({ isMigrated: true });
    const watching = openForTest(url);
    const before = await deadlocksIn(watching);
    const connections = await connectionsTo(watching);
    const third = openForTest(url);
    const holding = await third.startTransaction().execute();
    await hold(holding, MIDDLE);
    const replicas = [NAMES, NAMES.toReversed()].map((names) => ({ db: openForTest(url), names }));
    const writing = replicas.map(({ db, names }) =>
      write(createStores(db, [encryptionKey('k1')]), names),
    );
    // Each has reached the row that a third process holds.
    await expect.poll(() => connectionsTo(watching, 'Lock')).toBe(replicas.length);
    await holding.rollback().execute();
    await Promise.all(writing);
    // Postgres counts a connection's deadlocks when it closes.
    for (const db of [third, ...replicas.map(({ db }) => db)]) await db.destroy();
    await expect.poll(() => connectionsTo(watching)).toBe(connections);
    expect(await deadlocksIn(watching)).toBe(before);
  },
);

/** How many other connections there are; with `waitingFor`, only those that wait for it. */
async function connectionsTo(db: Database, waitingFor?: 'Lock'): Promise<number> {
  const { rows } = await sql<{ waits: string | null }>`select wait_event_type as waits
    from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and backend_type = 'client backend'`.execute(db);
  return rows.filter(({ waits }) => waitingFor === undefined || waits === waitingFor).length;
}

async function deadlocksIn(db: Database): Promise<number | undefined> {
  const { rows } = await sql<{ deadlocks: number }>`select deadlocks from pg_stat_database
    where datname = current_database()`.execute(db);
  return rows[0]?.deadlocks;
}
