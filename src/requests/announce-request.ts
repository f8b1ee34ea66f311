import type { JobOutcome, JobQueue } from '../jobs/runner.ts';
import type { RequestStore } from '../store/requests.ts';
import type { WorkspaceId } from '../workspaces/workspace-id.ts';
import { redrawJob } from './jobs.ts';
import type { DesignRequest } from './request.ts';

/** Tells a request's author how it stands, by whatever way the author is reached. */
export type Announcer = {
  /** @returns where the message stands that says so, or undefined where none was needed */
  announce(request: DesignRequest): Promise<{ channel: string; ts: string } | undefined>;
  /** Tells it in one line, without anything that was typed. */
  tellPlainly(request: DesignRequest): Promise<{ channel: string; ts: string } | undefined>;
  /** Shows the same once more where it may have been painted over. */
  redraw(request: DesignRequest): Promise<void>;
};

export type AnnounceInput = { workspaceId: WorkspaceId; requestId: string; revision: number };

/**
 * Slack applies an acknowledgement's own view some time after it has it, perhaps after a faster
 * `views.update`. Drawn again after this long, in ms, the outcome has the last word.
 */
const REDRAW_AFTER_MS = 1_500;

/** Tells of the request's newest state, once; a state that has passed meanwhile is not told. */
export async function announceRequest(
  ctx: { requests: RequestStore; jobs: JobQueue; announcer: Announcer; now: () => Date },
  input: AnnounceInput,
): Promise<JobOutcome> {
  const request = await ctx.requests.get(input.workspaceId, input.requestId);
  if (!request || request.revision !== input.revision) return 'done';
  if (request.announcedRevision >= request.revision) return 'done';
  if (request.viewId) {
    await ctx.jobs.add(redrawJob(request, new Date(ctx.now().getTime() + REDRAW_AFTER_MS)));
  }
  await ctx.requests.markAnnounced(request, await ctx.announcer.announce(request));
  return 'done';
}

/** Tells of the request's newest state in one line, once. */
export async function tellRequestPlainly(
  ctx: { requests: RequestStore; announcer: Announcer },
  input: AnnounceInput,
): Promise<JobOutcome> {
  const request = await ctx.requests.get(input.workspaceId, input.requestId);
  if (!request || request.revision !== input.revision) return 'done';
  if (request.announcedRevision >= request.revision) return 'done';
  await ctx.requests.markAnnounced(request, await ctx.announcer.tellPlainly(request));
  return 'done';
}

/** Draws the outcome again, unless the request has moved on: its author may be typing in it anew. */
export async function redrawRequest(
  ctx: { requests: RequestStore; announcer: Announcer },
  input: AnnounceInput,
): Promise<JobOutcome> {
  const request = await ctx.requests.get(input.workspaceId, input.requestId);
  if (request && request.revision === input.revision) await ctx.announcer.redraw(request);
  return 'done';
}
