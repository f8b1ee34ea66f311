import { isDeepStrictEqual } from 'node:util';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import { newRequestReference } from '../references.ts';
import type { Interaction } from '../store/interactions.ts';
import type { RequestStore } from '../store/requests.ts';
import type { Transact } from '../store/transact.ts';
import { deliverJob } from './jobs.ts';
import type { DesignRequest, RequestForm } from './request.ts';

export type SubmitContext = { transact: Transact; now: () => Date };

export type Submission = {
  /** The form's own id, made when it was opened. */
  formId: string;
  workspaceId: WorkspaceId;
  userId: string;
  /** Where the command was typed. */
  channelId?: string | undefined;
  viewId: string;
  form: RequestForm;
  /** The press of Send, by Slack's name for it. */
  interaction?: Interaction | undefined;
};

/** Until a request is on its way, what was changed in its form still counts. */
const STILL_CHANGEABLE = ['queued', 'waiting_for_key', 'rejected', 'discarded'] as const;

/**
 * Puts a request on disk and queues it for the service. The same form sent twice is one request; sent
 * again with changes, it is that request changed, as long as it is not on its way. A press of Send that
 * was taken before, its bytes being sent again, changes nothing.
 *
 * @returns the request as it is now, and whether it is what was typed: a change that came too late is
 *   not taken
 * @throws the database's error, with nothing stored: the caller must not acknowledge
 */
export async function submitRequest(
  ctx: SubmitContext,
  submission: Submission,
): Promise<{ request: DesignRequest; taken: boolean }> {
  const { formId: id, workspaceId, userId, viewId, form, channelId, interaction } = submission;
  const now = ctx.now();
  const request = await ctx.transact(async ({ requests, jobs, channelBrands, interactions }) => {
    const isFirst = !interaction || (await interactions.take(interaction, now));
    const added = { id, reference: newRequestReference(), workspaceId, userId, form, viewId };
    const isNew = isFirst && (await requests.add(added, now));
    const known = await requests.get(workspaceId, id);
    if (known?.userId !== userId) throw new Error(`form ${id} belongs to somebody else`);
    if (!isFirst) return known;
    const changed = isNew ? known : await change(requests, known, { form, viewId }, now);
    if (changed) await jobs.add(deliverJob(changed), now);
    if (channelId && form.brand) {
      await channelBrands.remember(workspaceId, channelId, form.brand.id, now);
    }
    return changed ?? known;
  });
  return { request, taken: isDeepStrictEqual(request.form, asStored(form)) };
}

/** @returns undefined where there is nothing to change, or no time to */
async function change(
  requests: RequestStore,
  request: DesignRequest,
  to: { form: RequestForm; viewId: string },
  now: Date,
): Promise<DesignRequest | undefined> {
  const isSame = isDeepStrictEqual(request.form, asStored(to.form));
  const isUnderWay = request.state === 'queued' || request.state === 'waiting_for_key';
  if (isSame && isUnderWay) return undefined;
  return requests.changeState(request, STILL_CHANGEABLE, 'queued', to, now);
}

/** As it comes back from the store: without what is undefined. */
const asStored = (form: RequestForm): RequestForm => JSON.parse(JSON.stringify(form));
