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

/**
 * Puts a request on disk and queues it for the service. The same form sent twice is one request; one
 * that the service had refused is corrected and goes out again.
 *
 * @returns the request as it is now, whoever of two had put it there
 * @throws the database's error, with nothing stored: the caller must not acknowledge
 */
export async function submitRequest(
  ctx: SubmitContext,
  submission: Submission,
): Promise<DesignRequest> {
  const { formId: id, workspaceId, userId, viewId, form, channelId } = submission;
  const now = ctx.now();
  const isNew = await ctx.requests.add(
    { id, reference: newRequestReference(), workspaceId, userId, form, viewId },
    now,
  );
  if (!isNew) {
    await ctx.requests.move({ workspaceId, id }, ['rejected'], 'queued', { form, viewId }, now);
  }
  const request = await ctx.requests.get(workspaceId, id);
  if (request?.userId !== userId) throw new Error(`form ${id} belongs to somebody else`);
  if (request.state === 'queued') await ctx.jobs.add(deliverJob(request));
  if (channelId && form.brand) {
    await ctx.channelBrands.remember(workspaceId, channelId, form.brand.id, now);
  }
  return request;
}
