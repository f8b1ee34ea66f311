import { isDeepStrictEqual } from 'node:util';
import type { JobQueue } from '../jobs/runner.ts';
import { newRequestReference } from '../references.ts';
import type { ChannelBrandStore } from '../store/channel-brands.ts';
import type { RequestStore } from '../store/requests.ts';
import { deliverJob } from './jobs.ts';
import type { DesignRequest, RequestForm } from './request.ts';

export type SubmitContext = {
  requests: RequestStore;
  jobs: JobQueue;
  channelBrands: ChannelBrandStore;
  now: () => Date;
};

export type Submission = {
  /** The form's own id, made when it was opened. */
  formId: string;
  workspaceId: string;
  userId: string;
  /** Where the command was typed. */
  channelId?: string | undefined;
  viewId: string;
  form: RequestForm;
};

/** Until a request is on its way, what was changed in its form still counts. */
const STILL_CHANGEABLE = ['queued', 'waiting_for_key', 'rejected', 'discarded'] as const;

/**
 * Puts a request on disk and queues it for the service. The same form sent twice is one request; sent
 * again with changes, it is that request changed, as long as it is not on its way.
 *
 * @returns the request as it is now, and whether it is what was typed: a change that came too late is
 *   not taken
 * @throws the database's error, with nothing stored: the caller must not acknowledge
 */
export async function submitRequest(
  ctx: SubmitContext,
  submission: Submission,
): Promise<{ request: DesignRequest; taken: boolean }> {
  const { formId: id, workspaceId, userId, viewId, form, channelId } = submission;
  const now = ctx.now();
  const isNew = await ctx.requests.add(
    { id, reference: newRequestReference(), workspaceId, userId, form, viewId },
    now,
  );
  const request = await ctx.requests.get(workspaceId, id);
  if (request?.userId !== userId) throw new Error(`form ${id} belongs to somebody else`);
  const changed = isNew ? request : await change(ctx, request, { form, viewId }, now);
  const current = changed ?? request;
  if (current.state === 'queued') await ctx.jobs.add(deliverJob(current));
  if (channelId && form.brand) {
    await ctx.channelBrands.remember(workspaceId, channelId, form.brand.id, now);
  }
  return { request: current, taken: isDeepStrictEqual(current.form, asStored(form)) };
}

/** @returns undefined where there is nothing to change, or no time to */
function change(
  ctx: SubmitContext,
  request: DesignRequest,
  to: { form: RequestForm; viewId: string },
  now: Date,
): Promise<DesignRequest | undefined> {
  const isSame = isDeepStrictEqual(request.form, asStored(to.form));
  const isUnderWay = request.state === 'queued' || request.state === 'waiting_for_key';
  if (isSame && isUnderWay) return Promise.resolve(undefined);
  return ctx.requests.move(request, STILL_CHANGEABLE, 'queued', to, now);
}

/** As it comes back from the store: without what is undefined. */
const asStored = (form: RequestForm): RequestForm => JSON.parse(JSON.stringify(form));
