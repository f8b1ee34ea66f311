import type { Database } from './database.ts';

/** Makes a waiting job run earlier. @returns false if it is running, has ended, or was due by then */
export async function bringForward(db: Database, identity: string, runAt: Date): Promise<boolean> {
  const changed = await db
    .updateTable('jobs')
    .set({ run_at: runAt.getTime() })
    .where('identity', '=', identity)
    .where('state', '=', 'ready')
    .where('run_at', '>', runAt.getTime())
    .returning('id')
    .execute();
  return changed.length > 0;
}
