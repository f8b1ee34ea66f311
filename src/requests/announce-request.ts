import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { JobOutcome } from '../jobs/runner.ts';
import type { RequestStore } from '../store/requests.ts';
import type { WatchStore } from '../store/watches.ts';
import { type DesignRequest, isUnnamed } from './request.ts';

/** @returns the message; undefined if none was needed */
type Announce = (request: DesignRequest) => Promise<DesignRequest['message']>;

export type Announcer = {
  announce: Announce;
  /** Sends one line of plain text, without anything that the author typed. */
  tellPlainly: Announce;
  /** Shows its state where the author may be looking, without notifying anyone. Never rejects. */
  show(request: DesignRequest): Promise<void>;
};

type AnnounceInput = {
  workspaceId: WorkspaceId;
  requestId: string;
  revision: number;
  searchedMinutes?: number | undefined;
};

/** Once, unless a later change has replaced it. The card's changes follow in that thread. */
export async function announceRequest(
  ctx: { requests: RequestStore; watches: Pick<WatchStore, 'moveWatcher'>; announcer: Announcer },
  input: AnnounceInput,
  way: 'announce' | 'tellPlainly' = 'announce',
): Promise<JobOutcome> {
  const request = await ctx.requests.get(input.workspaceId, input.requestId);
  if (!request || request.revision !== input.revision) return 'done';
  if (request.announcedRevision >= request.revision) return 'done';
  const { state, workspaceId, cardId, userId, problem } = request;
  const { searchedMinutes } = input;
  // A question about a request in doubt says how long it was searched for.
  const asked = problem && searchedMinutes ? { ...problem, searchedMinutes } : problem;
  const message = await ctx.announcer[way]({ ...request, problem: asked });
  // Before it is marked as announced, so that a failure repeats this.
  if (state === 'created' && cardId !== undefined && message) {
    await ctx.watches.moveWatcher({ workspaceId, cardId }, userId, message);
  }
  const revision = await ctx.requests.markAnnounced(request, message);
  if (!message || (!isUnnamed(request) && revision === request.revision)) return 'done';
  const latest = await ctx.requests.get(workspaceId, request.id);
  // Its card may have been found meanwhile, when there was no message yet.
  if (isUnnamed(request) && latest?.cardId) {
    await ctx.watches.moveWatcher({ workspaceId, cardId: latest.cardId }, userId, message);
  }
  // A later change may have been announced, or shown in the modal, without knowing of this message.
  if (latest && revision !== request.revision) {
    await ctx.announcer.show({ ...latest, viewId: undefined, message });
  }
  return 'done';
}
