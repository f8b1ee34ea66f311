import {
  PostgresAdapter,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  sql,
} from 'kysely';
import pg from 'pg';
import type { Database } from '../database.ts';
import { type OnStep, timeConnecting } from '../database-steps.ts';
import { storable } from '../engine.ts';
import { isAboutStatement, isRefusedSetting } from './errors.ts';
import { separateTls } from './tls.ts';

/** Per process. Several replicas stay far below Postgres's usual limit of 100. */
const MAX_CONNECTIONS = 12;
/** The longest wait for a free or new connection, in ms. Slack is answered within 2.5 s. */
const CONNECT_TIMEOUT_MS = 2_000;
/** The longest time for a statement at the server, in ms. Ours take a few ms. */
const STATEMENT_TIMEOUT_MS = 5_000;
/** If the server hasn't even canceled the statement by then, it is gone; in ms. */
const ANSWER_TIMEOUT_MS = 7_000;
/** When the server ends an abandoned transaction, in ms. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** How long unused connections are kept, in ms. */
const IDLE_MS = 30_000;

/** The type OID of `bigint` (pg_type.dat). */
const INT8 = 20;

/** Reads `bigint` as a number: our times and counts are far below 2^53. */
const readingNumbers = ({ getTypeParser }: typeof pg.types) => ({
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : getTypeParser(oid, format),
});

/**
 * Creates a pool of connections, without opening one yet.
 *
 * @param options.patient without timeouts, for migrations: they wait for each other, and for large tables
 * @param options.onLost called when an idle connection breaks
 * @throws the file system's error if a certificate from the URL can't be read
 */
export function openPostgresPool(
  location: string,
  options: { patient: boolean; onLost: (error: Error) => void; onStep: OnStep },
): PostgresPool {
  const { url, ssl } = separateTls(location);
  const { Pool, types } = pg;
  const settings: pg.PoolConfig = {
    connectionString: url,
    ssl,
    types: readingNumbers(types),
    application_name: 'design-request',
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    ...(options.patient ? {} : { query_timeout: ANSWER_TIMEOUT_MS }),
  };
  const open = (limits: pg.PoolConfig) => {
    const pool = new Pool({ ...settings, ...limits });
    pool.on('error', options.onLost);
    // If a connection breaks between two statements of a transaction, the next statement fails.
    pool.on('connect', (client) => client.on('error', () => undefined));
    return pool;
  };
  return guarded(open(options.patient ? {} : LIMITS), open({}), options.onStep);
}

/** Kept by the server, which is asked to when a connection starts. A pooler may refuse that (PgBouncer does). */
const LIMITS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
};

/**
 * Kysely identifies a connection by its client object, so each client is wrapped once.
 *
 * An error of the server, after a failover for example, ends that connection, and those that were opened before: all
 * lead to the same server. Otherwise they would be kept as long as they are used.
 *
 * @param other used instead once the settings of the pool have been refused
 */
function guarded(pool: pg.Pool, other: pg.Pool, onStep: OnStep): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, { guard: PostgresPoolClient; era: number }>();
  let current = pool;
  /** Goes up with each error of the server. */
  let era = 0;

  async function connect(): Promise<pg.PoolClient> {
    try {
      return await current.connect();
    } catch (error) {
      if (!isRefusedSetting(error)) throw error;
      current = other;
      return other.connect();
    }
  }

  return {
    options: {},
    async end() {
      await pool.end();
      await other.end();
    },
    async connect() {
      for (;;) {
        const client = await timeConnecting(connect, onStep);
        const known = clients.get(client) ?? { guard: guardedClient(client, endEra), era };
        clients.set(client, known);
        if (known.era === era) return known.guard;
        client.release(true);
      }
    },
  };

  function endEra(): void {
    era += 1;
  }
}

function guardedClient(client: PostgresPoolClient, onServerError: () => void): PostgresPoolClient {
  let isStuck = false;
  let isSpent = false;
  async function run<Row>(sql: string, parameters: readonly unknown[]) {
    if (isStuck) throw new Error('the connection to Postgres is stuck');
    try {
      return await client.query<Row>(sql, parameters.map(storable));
    } catch (error) {
      isStuck = error instanceof Error && error.message === PG_TIMED_OUT;
      if (!isAboutStatement(error)) {
        isSpent = true;
        onServerError();
      }
      throw error;
    }
  }
  function query<Row>(
    sql: string,
    parameters: readonly unknown[],
  ): Promise<PostgresQueryResult<Row>>;
  function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  function query(what: string | PostgresCursor<unknown>, parameters: readonly unknown[] = []) {
    return typeof what === 'string' ? run(what, parameters) : client.query(what);
  }
  return {
    query,
    release: (destroy) => client.release(Boolean(destroy) || isSpent),
  };
}

/** pg's message after `query_timeout` (pg/lib/client.js). */
const PG_TIMED_OUT = 'Query read timeout';

/** The key of Kysely's own lock, which earlier versions hold while they migrate. */
const MIGRATION_LOCK = '3853314791062309107';

/**
 * Waits until no other process migrates, and holds the lock until the transaction ends. Kysely's lock belongs to the
 * session: behind a pooler that gives each transaction another one, it would never be released.
 *
 * @param tx in a transaction, in which Kysely's error would hide that of a table that may not be created
 */
export async function lockMigrations(tx: Database): Promise<void> {
  const { rows } = await sql<{ mayCreate: boolean }>`select
    pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)}),
    has_schema_privilege(current_schema(), 'create') as "mayCreate"`.execute(tx);
  if (!rows[0]?.mayCreate)
    throw Object.assign(new Error('No schema allows creating tables.'), {
      code: INSUFFICIENT_PRIVILEGE,
    });
}

const INSUFFICIENT_PRIVILEGE = '42501';

class WithoutSessionLock extends PostgresAdapter {
  override acquireMigrationLock = async (): Promise<void> => undefined;
  override releaseMigrationLock = async (): Promise<void> => undefined;
}

/** Migrations need `lockMigrations`. */
export class PooledPostgresDialect extends PostgresDialect {
  override createAdapter = (): PostgresAdapter => new WithoutSessionLock();
}

/** If one of these is off, a commit may be lost (Postgres documentation, "Write Ahead Log"). */
const NEEDED = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;

/** @returns the names of those that are off for this user */
export async function riskySettings(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from pg_settings
    where setting = 'off' and name in (${sql.join(NEEDED)}) order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** @returns the names of those without a limit for this user */
export async function missingLimits(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from pg_settings
    where setting = '0' and name in (${sql.join(Object.keys(LIMITS))}) order by name`.execute(db);
  return rows.map(({ name }) => name);
}
