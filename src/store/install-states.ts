import { sql } from 'kysely';
import { deleteInBatches } from './batches.ts';
import type { Database } from './database.ts';

/** Remembers which states of OAuth came back, so that each does once. */
export type InstallStateStore = {
  /** @returns true for the first call only, over all replicas */
  use(nonce: string, expiresAt: Date): Promise<boolean>;
  /** Forgets those that are refused for their age by then. @returns how many */
  prune(now: Date): Promise<number>;
};

export function createInstallStateStore(db: Database): InstallStateStore {
  return {
    async use(nonce, expiresAt) {
      const added = await db
        .insertInto('used_install_states')
        .values({ nonce, expires_at: expiresAt.getTime() })
        .onConflict((conflict) => conflict.column('nonce').doNothing())
        .returning('nonce')
        .execute();
      return added.length > 0;
    },

    prune: (now) =>
      deleteInBatches(
        db,
        'used_install_states',
        sql`expires_at < ${now.getTime()} order by expires_at`,
      ),
  };
}
