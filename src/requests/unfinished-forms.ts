import { z } from 'zod';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import { type Entries, entryKind } from '../store/entries.ts';
import type { RequestStore } from '../store/requests.ts';

/** A form that has not been sent. */
export type UnfinishedForm = {
  formId: string;
  /** What was typed; only the code of the form reads it. */
  form: object;
  savedAt: Date;
};

/** As much as every list of them needs; people who closed a form notice it the same day. */
export const UNFINISHED_FORM = entryKind(
  'unfinished_form',
  z.looseObject({ draft: z.looseObject({ title: z.string().optional() }) }),
  24 * 60 * 60_000,
);

/** More than anyone closes in a day. */
const MAX_KEPT = 100;

export type UnfinishedForms = ReturnType<typeof createUnfinishedForms>;

/** Forms that people have not sent, so that they can continue them. */
export function createUnfinishedForms({
  entries,
  requests,
}: {
  entries: Entries;
  requests: Pick<RequestStore, 'get'>;
}) {
  const keyOf = (owner: WorkspaceId, userId: string, formId: string) => ({
    kind: UNFINISHED_FORM,
    owner,
    name: `${userId}/${formId}`,
  });
  const remove = (id: WorkspaceId, userId: string, formId: string) =>
    entries.remove(keyOf(id, userId, formId));

  /** Those of a person, the newest first. */
  async function formsOf(id: WorkspaceId, userId: string): Promise<UnfinishedForm[]> {
    const owned = { kind: UNFINISHED_FORM, owner: id };
    const found = await entries.list(owned, [`${userId}/`]);
    return found.map(({ name, value, changedAt }) => ({
      formId: name.slice(userId.length + 1),
      form: value,
      savedAt: changedAt,
    }));
  }

  return {
    /** Has no effect if the form was sent, unless its request can be changed: a redraw may be saved after Send. */
    async save(
      id: WorkspaceId,
      userId: string,
      { formId, form }: { formId: string; form: z.infer<typeof UNFINISHED_FORM.value> },
      now: Date,
    ): Promise<void> {
      await entries.put(keyOf(id, userId, formId), form, now);
      // Only now: if it is sent after this, sending removes it.
      const request = await requests.get(id, formId);
      const isSent = request && request.state !== 'rejected' && request.state !== 'discarded';
      if (isSent) await remove(id, userId, formId);
      for (const old of (await formsOf(id, userId)).slice(MAX_KEPT))
        await remove(id, userId, old.formId);
    },

    of: formsOf,
    remove,
  };
}
