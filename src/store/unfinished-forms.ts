import { sql } from 'kysely';
import { z } from 'zod';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import { deleteInBatches } from './batches.ts';
import type { Database } from './database.ts';
import { createRowReader } from './row-reader.ts';

/** A form that has not been sent. */
export type UnfinishedForm = {
  formId: string;
  /** What was typed; only the code of the form reads it. */
  form: object;
  savedAt: Date;
};

/** Forms that people have not sent, so that they can continue them. */
export type UnfinishedFormStore = {
  /** Has no effect if the form was sent, unless its request can be changed: a redraw may be saved after Send. */
  save(
    workspaceId: WorkspaceId,
    userId: string,
    unfinished: Pick<UnfinishedForm, 'formId' | 'form'>,
    now: Date,
  ): Promise<void>;
  /** The newest ones of a person, the newest first. */
  of(workspaceId: WorkspaceId, userId: string): Promise<UnfinishedForm[]>;
  remove(workspaceId: WorkspaceId, userId: string, formId: string): Promise<void>;
  /** @returns how many were deleted */
  prune(savedBefore: Date): Promise<number>;
};

/** More than anyone closes in a day, after which they are deleted. */
const MAX_READ = 100;

/** As much as every list of them needs. */
const unfinishedForm = z.looseObject({
  draft: z.looseObject({ title: z.string().optional() }),
});

export function createUnfinishedFormStore(
  db: Database,
  read = createRowReader(),
): UnfinishedFormStore {
  return {
    async save(workspaceId, userId, { formId, form }, now) {
      const saved = { form: JSON.stringify(form), saved_at: now.getTime() };
      const sent = db
        .selectFrom('requests')
        .select('id')
        .where('id', '=', formId)
        .where('workspace_id', '=', workspaceId)
        .where('state', 'not in', ['rejected', 'discarded']);
      await db
        .insertInto('unfinished_forms')
        .columns(['workspace_id', 'user_id', 'form_id', 'form', 'saved_at'])
        .expression(
          db
            .selectNoFrom(({ val }) => [
              val(workspaceId).as('workspace_id'),
              val(userId).as('user_id'),
              val(formId).as('form_id'),
              val(saved.form).as('form'),
              val(saved.saved_at).as('saved_at'),
            ])
            .where(({ exists, not }) => not(exists(sent))),
        )
        .onConflict((conflict) =>
          conflict.columns(['workspace_id', 'user_id', 'form_id']).doUpdateSet(saved),
        )
        .execute();
    },

    async of(workspaceId, userId) {
      const rows = await db
        .selectFrom('unfinished_forms')
        .select(['form_id', 'form', 'saved_at'])
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .orderBy('saved_at', 'desc')
        .limit(MAX_READ)
        .execute();
      return rows.flatMap(({ form_id, form: json, saved_at }) => {
        const row = { table: 'unfinished_forms', id: form_id, workspace: workspaceId } as const;
        const form = read(row, () => unfinishedForm.parse(JSON.parse(json)));
        return form ? [{ formId: form_id, form, savedAt: new Date(saved_at) }] : [];
      });
    },

    async remove(workspaceId, userId, formId) {
      await db
        .deleteFrom('unfinished_forms')
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .where('form_id', '=', formId)
        .execute();
    },

    prune: (savedBefore) =>
      deleteInBatches(
        db,
        'unfinished_forms',
        sql`saved_at < ${savedBefore.getTime()} order by saved_at`,
      ),
  };
}
