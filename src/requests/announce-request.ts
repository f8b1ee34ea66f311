import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { JobOutcome } from '../jobs/job-attempts.ts';
import type { RequestStore } from '../store/requests.ts';
import type { DesignRequest } from './request.ts';

/** Tells a request's author how it stands, by whatever way the author is reached. */
export type Announcer = {
  /** @returns where the message stands that says so, or undefined where none was needed */
  announce(request: DesignRequest): Promise<{ channel: string; ts: string } | undefined>;
  /** Tells it in one line, without anything that was typed. */
  tellPlainly(request: DesignRequest): Promise<{ channel: string; ts: string } | undefined>;
};

export type AnnounceInput = { workspaceId: WorkspaceId; requestId: string; revision: number };

/** Tells of the request's newest state, once; a state that has passed meanwhile is not told. */
export async function announceRequest(
  ctx: { requests: RequestStore; announcer: Announcer },
  input: AnnounceInput,
): Promise<JobOutcome> {
  const request = await ctx.requests.get(input.workspaceId, input.requestId);
  if (!request || request.revision !== input.revision) return 'done';
  if (request.announcedRevision >= request.revision) return 'done';
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
