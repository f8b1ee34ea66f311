import { sql } from 'kysely';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import { ageFromNow, deleteInBatches } from './batches.ts';
import { commitTogether } from './commit-together.ts';
import type { Database } from './database.ts';
import type { InteractionsTable } from './schema.ts';

/** What a person did in Slack, by Slack's own name for it. */
export type Interaction = { workspaceId: WorkspaceId; identity: string };

/** What people did, as long as the same signed bytes could be sent again. */
export type InteractionStore = {
  /** @returns true for the first who takes it, in whatever process */
  take(interaction: Interaction, now: Date): Promise<boolean>;
  /** Forgets what was taken before a moment. @returns how many */
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

/** @returns for each, in the same order, whether it is the first */
export async function insertInteractions(
  db: Database,
  rows: readonly InteractionsTable[],
): Promise<boolean[]> {
  const added = await db
    .insertInto('interactions')
    .values([...rows])
    .onConflict((conflict) => conflict.doNothing())
    .returning(['workspace_id', 'identity'])
    .execute();
  const nameOf = (row: Pick<InteractionsTable, 'workspace_id' | 'identity'>) =>
    `${row.workspace_id}/${row.identity}`;
  const fresh = new Set(added.map(nameOf));
  // Of two that arrive together, the first is the one that was added.
  return rows.map((row) => fresh.delete(nameOf(row)));
}

export const interactionRow = (
  { workspaceId, identity }: Interaction,
  now: Date,
): InteractionsTable => ({ workspace_id: workspaceId, identity, taken_at: now.getTime() });
