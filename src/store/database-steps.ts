import type { LogEvent } from 'kysely';

/**
 * What the app waits for at the database: `connect` is a free connection to Postgres, `begin` a transaction, `read` and
 * `write` a statement, `commit` (or rolling back) the disk.
 */
export const DATABASE_STEPS = ['connect', 'begin', 'read', 'write', 'commit'] as const;
export type DatabaseStep = (typeof DATABASE_STEPS)[number];

export type OnStep = (step: DatabaseStep, seconds: number, error?: unknown) => void;

/** For Kysely's log, which leaves out connecting. */
export const stepsOfLog =
  (onStep: OnStep) =>
  (event: LogEvent): void =>
    onStep(
      stepOf(event.query.sql),
      event.queryDurationMillis / 1_000,
      event.level === 'error' ? event.error : undefined,
    );

function stepOf(sql: string): DatabaseStep {
  if (sql.startsWith('begin')) return 'begin';
  if (sql === 'commit' || sql === 'rollback') return 'commit';
  return sql.startsWith('select ') ? 'read' : 'write';
}

export async function timeConnecting<Client>(
  connect: () => Promise<Client>,
  onStep: OnStep,
): Promise<Client> {
  const begunAt = performance.now();
  const ended = (error?: unknown) =>
    onStep('connect', (performance.now() - begunAt) / 1_000, error);
  const connecting = connect();
  connecting.then(() => ended(), ended);
  return connecting;
}
