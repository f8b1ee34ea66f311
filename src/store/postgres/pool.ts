import {
  type Dialect,
  PostgresDialect,
  type PostgresPoolClient,
  PostgresQueryCompiler,
  sql,
} from 'kysely';
import pg from 'pg';
import type { Database } from '../database.ts';
import {
  isAboutStatement,
  isRefusedSetting,
  type OnStep,
  timeConnecting,
} from '../database-errors.ts';
import { columns, storable } from '../rows.ts';
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

/** Enforced by the server, which gets them when a connection starts. A pooler may refuse that (PgBouncer does). */
const LIMITS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
};

export type PoolOptions = {
  /** Without timeouts, for long operations: migrations wait for each other, and for large tables. */
  patient?: boolean;
  /** Called when an idle connection breaks; the next statement opens another. */
  onLost?: ((error: Error) => void) | undefined;
  onStep?: OnStep | undefined;
};

/** A pool of connections, of which none is open yet. */
export function postgresDialect(location: string, options: PoolOptions): Dialect {
  const { patient = false, onLost = () => undefined, onStep = () => undefined } = options;
  const { url, ssl } = separateTls(location);
  const { Pool, types } = pg;
  const open = (limits: pg.PoolConfig) => {
    const opened = new Pool({
      connectionString: url,
      ssl,
      types: readingNumbers(types),
      application_name: 'design-request',
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: IDLE_MS,
      keepAlive: true,
      ...limits,
    });
    opened.on('error', onLost);
    opened.on('connect', (client) => {
      current.add(client);
      // If a connection breaks between two statements of a transaction, the next statement fails.
      client.on('error', () => undefined);
    });
    return opened;
  };
  const answerTimeout = patient ? {} : { query_timeout: ANSWER_TIMEOUT_MS };
  const limited = open(patient ? {} : { ...answerTimeout, ...LIMITS });
  let pool = limited;
  /** Those that were opened since the last error of the server. */
  let current = new WeakSet<pg.PoolClient>();

  async function connect(): Promise<pg.PoolClient> {
    try {
      return await pool.connect();
    } catch (error) {
      if (!isRefusedSetting(error)) throw error;
      if (pool === limited) pool = open(answerTimeout);
      return pool.connect();
    }
  }

  return new SnakeCaseDialect({
    pool: {
      options: {},
      end: () => pool.end(),
      // An error of the server, after a failover for example, ends that connection and those that were opened before:
      // all lead to the same server, and would be kept as long as they are used.
      async connect() {
        for (;;) {
          const client = await timeConnecting(connect, onStep);
          if (current.has(client)) return guardedClient(client, () => (current = new WeakSet()));
          client.release(true);
        }
      },
    },
  });
}

class SnakeCaseDialect extends PostgresDialect {
  override createQueryCompiler = () => new SnakeCaseCompiler();
}

class SnakeCaseCompiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(name: string): string {
    return super.sanitizeIdentifier(columns.snakeCase(name));
  }
}

function guardedClient(client: PostgresPoolClient, onServerError: () => void): PostgresPoolClient {
  let broken: unknown;
  async function query<Row>(text: string, parameters: readonly unknown[]) {
    // After a timeout, pg would queue statements behind the one that isn't answered.
    if (broken) throw broken;
    try {
      return await client.query<Row>(text, parameters.map(storable));
    } catch (error) {
      if (!isAboutStatement(error)) {
        broken = error;
        onServerError();
      }
      throw error;
    }
  }
  return {
    // Without cursors, which nothing uses.
    query: query as PostgresPoolClient['query'],
    release: (destroy) => client.release(Boolean(destroy || broken)),
  };
}

/**
 * Waits until no other process migrates, and holds the lock until the transaction ends. A lock of the session might
 * never be released behind a pooler that gives each transaction another session. The number is arbitrary.
 */
export const lockMigrations = (tx: Database) =>
  sql`select pg_advisory_xact_lock(3853314791062309107)`.execute(tx);

/** If one of these is off, a commit may be lost (Postgres documentation, "Write Ahead Log"). */
const NEEDED = ['fsync', 'full_page_writes', 'synchronous_commit'];

async function settingsThatAre(db: Database, setting: 'off' | '0', names: readonly string[]) {
  const { rows } = await sql<{ name: string }>`select name from pg_settings
    where setting = ${setting} and name in (${sql.join(names)}) order by name`.execute(db);
  return rows.map(({ name }) => name);
}
export const riskySettings = (db: Database) => settingsThatAre(db, 'off', NEEDED);
export const missingLimits = (db: Database) => settingsThatAre(db, '0', Object.keys(LIMITS));
