import { sql } from 'kysely';
import { z } from 'zod';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import { type FormChoices, SCOPES, type StoredChoices } from '../requests/form-defaults.ts';
import { deleteInBatches } from './batches.ts';
import type { Database } from './database.ts';
import { inLockOrder } from './in-lock-order.ts';
import { createRowReader } from './row-reader.ts';

/** What forms are filled with: what people chose before, and the presets of admins. */
export type FormDefaultStore = {
  /** The choices of all these owners. */
  of(workspaceId: WorkspaceId, owners: readonly string[]): Promise<StoredChoices[]>;
  learn(workspaceId: WorkspaceId, learned: readonly StoredChoices[], now: Date): Promise<void>;
  /** @param choices undefined to delete the preset */
  savePreset(
    workspaceId: WorkspaceId,
    owner: string,
    preset: { choices: FormChoices | undefined; changedBy: string },
    now: Date,
  ): Promise<void>;
  /** Deletes what was learned before then. @returns how many rows */
  prune(learnedBefore: Date): Promise<number>;
};

const keyOf = ({ owner, scope }: Omit<StoredChoices, 'choices'>) => `${owner}/${scope}`;

const choice = z.string().optional();
const formChoices: z.ZodType<FormChoices> = z.object({
  requestType: choice,
  product: choice,
  dimensions: choice,
  software: choice,
  formats: z.array(z.string()).optional(),
  brand: choice,
  brief: choice,
  shareIn: choice,
});

export function createFormDefaultStore(db: Database, read = createRowReader()): FormDefaultStore {
  const put = async (
    workspaceId: WorkspaceId,
    stored: readonly StoredChoices[],
    { changedBy, now }: { changedBy: string | null; now: Date },
  ) => {
    await db
      .insertInto('form_defaults')
      .values(
        inLockOrder(stored, keyOf).map(({ owner, scope, choices }) => ({
          workspace_id: workspaceId,
          owner,
          scope,
          choices: JSON.stringify(choices),
          changed_by: changedBy,
          changed_at: now.getTime(),
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'owner', 'scope']).doUpdateSet((eb) => ({
          choices: eb.ref('excluded.choices'),
          changed_by: eb.ref('excluded.changed_by'),
          changed_at: eb.ref('excluded.changed_at'),
        })),
      )
      .execute();
  };

  return {
    async of(workspaceId, owners) {
      const rows = await db
        .selectFrom('form_defaults')
        .select(['owner', 'scope', 'choices'])
        .where('workspace_id', '=', workspaceId)
        .where('owner', 'in', [...owners])
        .execute();
      return rows.flatMap(({ choices: json, ...key }) => {
        const row = { table: 'form_defaults', id: keyOf(key), workspace: workspaceId } as const;
        const choices = read(row, () => formChoices.parse(JSON.parse(json)));
        return choices ? [{ ...key, choices }] : [];
      });
    },

    learn: (workspaceId, learned, now) => put(workspaceId, learned, { changedBy: null, now }),

    async savePreset(workspaceId, owner, { choices, changedBy }, now) {
      const scope = SCOPES.preset;
      if (choices) return put(workspaceId, [{ owner, scope, choices }], { changedBy, now });
      await db
        .deleteFrom('form_defaults')
        .where('workspace_id', '=', workspaceId)
        .where('owner', '=', owner)
        .where('scope', '=', scope)
        .execute();
    },

    prune: (learnedBefore) =>
      deleteInBatches(
        db,
        'form_defaults',
        sql`changed_at < ${learnedBefore.getTime()} and changed_by is null order by changed_at`,
      ),
  };
}
