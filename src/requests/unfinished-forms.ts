import { z } from 'zod';
import { type Entries, entryKind } from '../store/entries.ts';
import type { RequestStore } from '../store/requests.ts';
import type { DesignRequest, FormDraft } from './request.ts';

/** What a list of unfinished forms needs. */
const listed = z.looseObject({ title: z.string().optional() });

const unfinishedForm = z.object({
  /** What it contains, as it was drawn or closed. */
  draft: z.custom<FormDraft>((value) => listed.safeParse(value).success),
  /** The channel of the command that opened it first. */
  channelId: z.string().optional(),
  /** Whether it has yet to be filled with defaults. */
  isNew: z.boolean().optional(),
  /** Whether it was opened with what a card, a message, or a request says. */
  isPrefilled: z.boolean().optional(),
  /** Whether anything was entered in the form itself. */
  isTyped: z.boolean().optional(),
  /** Whether all fields are shown. */
  isExpanded: z.boolean().optional(),
  /** The fields that stay visible, since its author may have filled them in. */
  visible: z.array(z.string()).optional(),
  /** Whether it was closed, and opened again, perhaps elsewhere. */
  isContinued: z.boolean().optional(),
  /** Whether the service refused it, so that its request is offered instead. */
  isReturned: z.boolean().optional(),
  noPostsIn: z.string().optional(),
  /** By the ID of a type chosen before: what was entered in fields whose menus depend on the type. */
  earlier: z.record(z.string(), z.custom<FormDraft>()).optional(),
  /** The time of the change that it was last redrawn for, by Slack's clock. */
  changedAt: z.string().optional(),
  /** While not connected: whom its author can ask; `reader` if they are an admin themselves. */
  admin: z
    .union([z.literal('reader'), z.object({ userId: z.string(), name: z.string().optional() })])
    .optional(),
});

/** Its ID is the future request's, so that sending it twice creates one request. */
export type UnfinishedForm = { formId: string } & z.infer<typeof unfinishedForm>;

/** People who closed a form notice it the same day. */
export const UNFINISHED_FORM = entryKind('unfinished_form', unfinishedForm, 24 * 60 * 60_000);

/** More than anyone closes in a day. */
const MAX_KEPT = 100;

type Author = Pick<DesignRequest, 'workspaceId' | 'userId'>;

export type UnfinishedForms = ReturnType<typeof createUnfinishedForms>;

/** What an open form contains, and what a closed one is continued from. */
export function createUnfinishedForms({
  entries,
  requests,
}: {
  entries: Entries;
  requests: Pick<RequestStore, 'get'>;
}) {
  const keyOf = ({ workspaceId, userId }: Author, formId: string) => ({
    kind: UNFINISHED_FORM,
    owner: workspaceId,
    name: `${userId}/${formId}`,
  });
  const remove = (author: Author, formId: string) => entries.remove(keyOf(author, formId));

  /** The newest first. */
  async function formsOf({ workspaceId, userId }: Author): Promise<UnfinishedForm[]> {
    const owned = { kind: UNFINISHED_FORM, owner: workspaceId };
    const found = await entries.list(owned, [`${userId}/`]);
    return found.map(({ name, value }) => ({ formId: name.slice(userId.length + 1), ...value }));
  }

  return {
    /** Not if the form was sent, and can't be changed: a redraw may be saved after Send. */
    async save(author: Author, { formId, ...form }: UnfinishedForm, now: Date) {
      await entries.put(keyOf(author, formId), form, now);
      // Only now: if it is sent after this, sending removes it.
      const request = await requests.get(author.workspaceId, formId);
      const isSent = request && request.state !== 'rejected' && request.state !== 'discarded';
      if (isSent) await remove(author, formId);
    },

    async get(author: Author, formId: string) {
      const found = await entries.get(keyOf(author, formId));
      return found && { formId, ...found.value };
    },

    of: formsOf,
    remove,

    /** Keeps `MAX_KEPT`, and as many in which nothing was typed. */
    async removeOldest(author: Author): Promise<void> {
      const forms = await formsOf(author);
      for (const typed of [true, false]) {
        const alike = forms.filter(({ isTyped = false }) => isTyped === typed);
        for (const { formId } of alike.slice(MAX_KEPT)) await remove(author, formId);
      }
    },
  };
}
