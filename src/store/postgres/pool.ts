import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { storable } from '../storable.ts';
import { takeTlsOut } from './tls.ts';

/** Connections of one process. A handful of replicas stays far below Postgres' usual limit of 100. */
const MOST_CONNECTIONS = 12;
/** How long somebody waits for a connection, new or free, in ms: Slack is answered within 2.5 s. */
const CONNECT_WITHIN_MS = 2_000;
/** How long one statement may take at the server, in ms. The slowest of ours take some ms. */
const STATEMENT_WITHIN_MS = 5_000;
/** A server that has not even refused by then is gone; in ms. */
const ANSWER_WITHIN_MS = 7_000;
/** A transaction that its process has forgotten gives its locks back after this long, in ms. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** Connections that nobody uses are kept this long, in ms. */
const IDLE_MS = 30_000;

/** Postgres' number of the type `bigint` (pg_type.dat). */
const INT8 = 20;

/** `bigint` as a number: moments in ms and counts stay far below 2^53. */
const readingNumbers = ({ getTypeParser }: typeof pg.types) => ({
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : getTypeParser(oid, format),
});

/**
 * Opens connections to a Postgres database as they are needed; none is opened yet.
 *
 * @param options.patient without time-outs, for migrations: they wait for each other, and for large tables
 * @param options.onLost told when a connection breaks that nobody was using
 * @throws the file system's error where a certificate of the URL can't be read
 */
export function openPostgresPool(
  location: string,
  options: { patient: boolean; onLost: (error: Error) => void },
): PostgresPool {
  const { url, ssl } = takeTlsOut(location);
  const { Pool, types } = pg;
  const pool = new Pool({
    connectionString: url,
    ssl,
    types: readingNumbers(types),
    application_name: 'design-request',
    max: MOST_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    ...(options.patient
      ? {}
      : {
          statement_timeout: STATEMENT_WITHIN_MS,
          query_timeout: ANSWER_WITHIN_MS,
          idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
        }),
  });
  pool.on('error', options.onLost);
  // A connection that breaks between two statements of a transaction: the next statement fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return guarded(pool);
}

/** Kysely keeps what belongs to a connection by its client, so each has one for all of its life. */
function guarded(pool: pg.Pool): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: {},
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      const known = clients.get(client) ?? guardedClient(client);
      clients.set(client, known);
      return known;
    },
  };
}

function guardedClient(client: PostgresPoolClient): PostgresPoolClient {
  let isStuck = false;
  async function run<Row>(sql: string, parameters: readonly unknown[]) {
    if (isStuck) throw new Error('the connection to Postgres is stuck');
    try {
      return await client.query<Row>(sql, parameters.map(storable));
    } catch (error) {
      isStuck = error instanceof Error && error.message === PG_TIMED_OUT;
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
    // One whose server is gone would make each later user wait; the network may not say so for minutes.
    release: (destroy) => client.release(Boolean(destroy) || isStuck),
  };
}

/** What pg says when `query_timeout` is over (pg/lib/client.js). */
const PG_TIMED_OUT = 'Query read timeout';
