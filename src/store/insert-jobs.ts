import type { Insertable } from 'kysely';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { Database } from './database.ts';
import type { AddedJob } from './job-notifications.ts';
import type { JobsTable } from './schema.ts';

export type NewJob = {
  kind: string;
  workspaceId: WorkspaceId;
  payload: unknown;
  /** A second job with the same identity is not added: that is how a repeated event is recognised. */
  identity?: string | undefined;
  runAt?: Date | undefined;
  /** Whether a person waits for it: such jobs go first. */
  isUrgent?: boolean | undefined;
};

/** What the job runner has to know of a job that was added. */
export const toAdded = ({ isUrgent = false, runAt }: NewJob, now: Date): AddedJob => ({
  isUrgent,
  runAt: runAt ?? now,
});

export type JobRow = Insertable<JobsTable> & { identity: string | null };

/**
 * Writes jobs in one statement.
 *
 * @returns for each, in the same order, whether it was added: false where its identity is known already
 */
export async function insertJobs(db: Database, rows: readonly JobRow[]): Promise<boolean[]> {
  const added = await db
    .insertInto('jobs')
    .values([...rows])
    .onConflict((conflict) => conflict.column('identity').doNothing())
    .returning('identity')
    .execute();
  const fresh = new Set(added.map(({ identity }) => identity));
  // Of two with one identity that arrive together, the first is the one that was added.
  return rows.map(({ identity }) => identity === null || fresh.delete(identity));
}

/** @throws where the payload can't be written as JSON */
export function jobRow(job: NewJob, now: Date): JobRow {
  return {
    kind: job.kind,
    workspace_id: job.workspaceId,
    identity: job.identity ?? null,
    payload: JSON.stringify(job.payload),
    state: 'ready',
    priority: job.isUrgent ? 1 : 0,
    run_at: (job.runAt ?? now).getTime(),
    scheduled_at: now.getTime(),
    attempts: 0,
    fence: 0,
    created_at: now.getTime(),
    finished_at: null,
  };
}
