import { isDeepStrictEqual } from 'node:util';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import { newRequestReference } from '../references.ts';
import type { EntryKey } from '../store/entries.ts';
import type { RequestStore } from '../store/requests.ts';
import type { ChangeContext } from './change-request-state.ts';
import { choicesToLearn, createFormDefaults } from './form-defaults.ts';
import { sendJob } from './jobs.ts';
import { isUnlistedForm } from './match-lists.ts';
import type { DesignRequest, RequestForm } from './request.ts';
import { createUnfinishedForms } from './unfinished-forms.ts';

export type Submission = {
  formId: string;
  workspaceId: WorkspaceId;
  userId: string;
  /** Where the command was typed. */
  channelId?: string | undefined;
  /** The modal; undefined if sent by a workflow. */
  viewId?: string | undefined;
  form: RequestForm;
  /** Identifies this press of Send, so that a replayed delivery has no effect. */
  interaction?: EntryKey<true> | undefined;
};

/** The states in which the form can still be changed: in all others the request may have been sent. */
const EDITABLE = ['queued', 'waiting_for_key', 'rejected', 'discarded'] as const;

/**
 * Stores a request and queues it. The same form sent twice is one request; with changes, it changes
 * that request if it hasn't been sent yet. A replayed press of Send changes nothing.
 *
 * @returns `isCurrent` if it has what was just typed: a change may come too late
 * @throws the database's error; nothing is stored then, and the caller must not acknowledge
 */
export async function submitRequest(
  ctx: Pick<ChangeContext, 'transact' | 'now'>,
  submission: Submission,
): Promise<{ request: DesignRequest; isCurrent: boolean }> {
  const { formId: id, workspaceId, userId, viewId, form, channelId, interaction } = submission;
  const now = ctx.now();
  const request = await ctx.transact(async (changes) => {
    const { requests, jobs, entries } = changes;
    const isFirst = !interaction || (await entries.takeOnce(interaction, now));
    const added = { id, reference: newRequestReference(), workspaceId, userId, form, viewId };
    const stored = isFirst ? await requests.add(added, now) : undefined;
    const known = stored ?? (await requests.get(workspaceId, id));
    if (known?.userId !== userId) throw new Error(`form ${id} belongs to someone else`);
    if (!isFirst) return known;
    const changed = stored ?? (await change(requests, known, { form, viewId }, now));
    if (changed) await jobs.add(sendJob(changed), now);
    // A workflow's values aren't its author's preferences, and an unlisted type isn't a choice.
    if (viewId !== undefined && !isUnlistedForm(form)) {
      await createFormDefaults(entries).learn(
        workspaceId,
        choicesToLearn({ userId, channelId }, form),
        now,
      );
    }
    await createUnfinishedForms(changes).remove({ workspaceId, userId }, id);
    return changed ?? known;
  });
  return { request, isCurrent: isDeepStrictEqual(request.form, asStored(form)) };
}

/** @returns undefined if nothing has changed, or it is too late */
async function change(
  requests: RequestStore,
  request: DesignRequest,
  to: { form: RequestForm; viewId: string | undefined },
  now: Date,
): Promise<DesignRequest | undefined> {
  const isSame = isDeepStrictEqual(request.form, asStored(to.form));
  const isUnsent = request.state === 'queued' || request.state === 'waiting_for_key';
  if (isSame && isUnsent) return undefined;
  return requests.changeState(request, EDITABLE, 'queued', to, now);
}

/** Without properties that are undefined, as the store returns it. */
const asStored = (form: RequestForm): RequestForm => JSON.parse(JSON.stringify(form));
