import type { Database } from './database.ts';
import type { AddedJob } from './job-notifications.ts';

/** Makes a waiting job run earlier. @returns it, unless it is running, has ended, or was due by then */
export async function bringForward(
  db: Database,
  { identity, runAt }: { identity: string; runAt: Date },
  now: Date,
): Promise<AddedJob[]> {
  const changed = await db
    .updateTable('jobs')
    .set({ run_at: runAt.getTime(), scheduled_at: now.getTime() })
    .where('identity', '=', identity)
    .where('state', '=', 'ready')
    .where('run_at', '>', runAt.getTime())
    .returning('priority')
    .execute();
  return changed.map(({ priority }) => ({ isUrgent: priority === 1, runAt }));
}
