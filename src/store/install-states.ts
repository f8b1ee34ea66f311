import { sql } from 'kysely';
import { deleteInBatches } from './batches.ts';
import type { Database } from './database.ts';

/** Used OAuth states, so that each is accepted once. */
export type InstallStateStore = {
  /** @returns true for the first call only, across all replicas */
  use(nonce: string, expiresAt: Date): Promise<boolean>;
  /** Deletes expired states. @returns how many */
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
