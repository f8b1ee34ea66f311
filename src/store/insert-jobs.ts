import type { Insertable } from 'kysely';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { Database } from './database.ts';
import { inLockOrder } from './in-lock-order.ts';
import type { JobsTable } from './schema.ts';

export type NewJob = {
  kind: string;
  workspaceId: WorkspaceId;
  payload: unknown;
  /** A second job with the same identity isn't added; this is how repeated events are recognized. */
  identity?: string | undefined;
  runAt?: Date | undefined;
  /** Whether a person waits for it. */
  isUrgent?: boolean | undefined;
};

export type JobRow = Insertable<JobsTable> & { identity: string | null };

/**
 * Inserts jobs with one statement.
 *
 * @returns for each, in the same order, whether it was added; false if its identity exists already
 */
export async function insertJobs(db: Database, rows: readonly JobRow[]): Promise<boolean[]> {
  const added = await db
    .insertInto('jobs')
    .values(inLockOrder(rows, ({ identity }) => identity ?? ''))
    .onConflict((conflict) => conflict.column('identity').doNothing())
    .returning('identity')
    .execute();
  const fresh = new Set(added.map(({ identity }) => identity));
  // If an identity occurs twice in `rows`, the first one was added.
  return rows.map(({ identity }) => identity === null || fresh.delete(identity));
}

/** @throws TypeError if the payload can't be serialized as JSON */
export function jobRow(job: NewJob, now: Date): JobRow {
  return {
    kind: job.kind,
    workspace_id: job.workspaceId,
    identity: job.identity ?? null,
    payload: JSON.stringify(job.payload),
    state: 'ready',
    priority: job.isUrgent ? 1 : 0,
    run_at: (job.runAt ?? now).getTime(),
    attempts: 0,
    fence: 0,
    created_at: now.getTime(),
    finished_at: null,
  };
}
