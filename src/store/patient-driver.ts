import { setTimeout } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  SqliteDriver,
} from 'kysely';
import { isBusy } from './process-lock.ts';

/**
 * How long a write waits for somebody who locks the file, such as a backup tool, in ms. Slack waits
 * 3 s for an acknowledgement; what can't be written by then is refused with words.
 */
const WAIT_FOR_LOCK_MS = 1_800;
const LOOK_AGAIN_MS = 25;

/**
 * Waits for a locked database without holding up the process: SQLite's own waiting blocks it, so that
 * is kept short, and the rest is waited for here.
 */
export class PatientSqliteDriver extends SqliteDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    return patient(await super.acquireConnection());
  }
}

function patient(connection: DatabaseConnection): DatabaseConnection {
  return {
    executeQuery: (query) => untilUnlocked(() => connection.executeQuery(query)),
    streamQuery: <Row>(query: CompiledQuery, chunkSize: number) =>
      connection.streamQuery<Row>(query, chunkSize),
  };
}

async function untilUnlocked<Row>(
  execute: () => Promise<QueryResult<Row>>,
): Promise<QueryResult<Row>> {
  const until = performance.now() + WAIT_FOR_LOCK_MS;
  for (;;) {
    try {
      return await execute();
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error;
      await setTimeout(LOOK_AGAIN_MS);
    }
  }
}
