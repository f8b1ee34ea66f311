import { sql } from 'kysely';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import { ageFromNow, deleteInBatches } from './batches.ts';
import { commitTogether } from './commit-together.ts';
import type { Database } from './database.ts';
import { inLockOrder } from './in-lock-order.ts';
import type { InteractionsTable } from './schema.ts';

/** A command, button press, or submission, identified by Slack's `trigger_id`. */
export type Interaction = { workspaceId: WorkspaceId; identity: string };

/** Interactions that were handled, kept for as long as Slack's signature is valid, so that none is replayed. */
export type InteractionStore = {
  /** @returns true for the first call only, across all processes */
  take(interaction: Interaction, now: Date): Promise<boolean>;
  /** Deletes interactions from before then. @returns how many */
  prune(takenBefore: Date, now: Date): Promise<number>;
};

export function createInteractionStore(db: Database): InteractionStore {
  const insertTogether = commitTogether((rows: readonly InteractionsTable[]) =>
    insertInteractions(db, rows),
  );
  return {
    take: (interaction, now) => insertTogether(interactionRow(interaction, now)),

    async prune(takenBefore, now) {
      await ageFromNow(db, 'interactions', { column: 'taken_at', condition: sql`true`, now });
      const isOld = sql`taken_at < ${takenBefore.getTime()} order by taken_at`;
      return deleteInBatches(db, 'interactions', isOld);
    },
  };
}

/** @returns for each, in the same order, whether it is new */
export async function insertInteractions(
  db: Database,
  rows: readonly InteractionsTable[],
): Promise<boolean[]> {
  const nameOf = (row: Pick<InteractionsTable, 'workspace_id' | 'identity'>) =>
    `${row.workspace_id}/${row.identity}`;
  const added = await db
    .insertInto('interactions')
    .values(inLockOrder(rows, nameOf))
    .onConflict((conflict) => conflict.doNothing())
    .returning(['workspace_id', 'identity'])
    .execute();
  const fresh = new Set(added.map(nameOf));
  // If one occurs twice in `rows`, the first was added.
  return rows.map((row) => fresh.delete(nameOf(row)));
}

export const interactionRow = (
  { workspaceId, identity }: Interaction,
  now: Date,
): InteractionsTable => ({ workspace_id: workspaceId, identity, taken_at: now.getTime() });
