import { CLOCKS_DIFFER_MS } from '../clock.ts';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { JobOutcome } from '../jobs/job-attempts.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { Log } from '../ops/logging.ts';
import { LISTED_TASKS } from '../service/check-project.ts';
import { DesignApiError } from '../service/errors.ts';
import type { ServiceAccess } from '../service/service-access.ts';
import type { RequestStore } from '../store/requests.ts';
import type { Transact } from '../store/transact.ts';
import type { WorkspaceSettingsStore } from '../store/workspace-settings.ts';
import type { Announcer } from './announce-request.ts';
import { changeRequestState } from './change-request-state.ts';
import { announceJob } from './jobs.ts';
import type { DesignRequest } from './request.ts';

export type ReconcileContext = {
  requests: RequestStore;
  settings: WorkspaceSettingsStore;
  service: ServiceAccess;
  jobs: JobQueue;
  transact: Transact;
  announcer: Pick<Announcer, 'show'>;
  now: () => Date;
  log: Log;
};

/**
 * When a request is searched for, in ms since it came in doubt. A slow service may create the card, or list it,
 * some minutes later.
 */
const SEARCHED_AT_MS = [0, 5_000, 15_000, 35_000, 75_000, 155_000, 315_000, 600_000];

/**
 * Searches the service for a request in doubt, by the reference in its card's description. If it is found, it
 * was created. Not finding it proves nothing, because it is undocumented what `GET /tasks` lists; after about ten
 * minutes of searching, its author is asked.
 *
 * The job itself is postponed between searches, so they survive a restart, and only one replica searches.
 *
 * @param input.isFirst whether this is the first search
 */
export async function reconcileRequest(
  ctx: ReconcileContext,
  input: { workspaceId: WorkspaceId; requestId: string; revision: number; isFirst: boolean },
): Promise<JobOutcome> {
  const request = await ctx.requests.get(input.workspaceId, input.requestId);
  if (request?.state !== 'in_doubt' || request.revision !== input.revision) return 'done';
  const { projectId } = await ctx.settings.get(request.workspaceId);
  const searched = projectId ? await search(ctx, request, { projectId, ...input }) : CANNOT_SEARCH;
  if ('found' in searched) {
    await changeRequestState(ctx, request, {
      from: ['in_doubt'],
      to: 'created',
      change: { cardId: searched.found.id },
      nextJob: announceJob,
    });
    return 'done';
  }
  const retryAt = searched.again && nextSearch(request, ctx.now(), searched.notBefore);
  if (retryAt) return { retryAt };
  await ctx.jobs.add(announceJob(request));
  return 'done';
}

type Searched =
  | { found: { id?: string | undefined } }
  /** Whether another search may find it, and the earliest time for one. */
  | { again: boolean; notBefore?: Date | undefined };

const CANNOT_SEARCH: Searched = { again: false };

async function search(
  ctx: ReconcileContext,
  request: DesignRequest,
  { projectId, isFirst }: { projectId: string; isFirst: boolean },
): Promise<Searched> {
  const { workspaceId, reference } = request;
  if (isFirst) await ctx.announcer.show(request);
  try {
    const query = { projectId, perPage: LISTED_TASKS };
    const { items } = await ctx.service.call(workspaceId, (api) =>
      // Only calls that people and links leave over.
      api.listTasks(query, { callClass: 'background' }),
    );
    const found = items.find(({ descriptionHtml }) => descriptionHtml?.includes(reference));
    return found ? { found } : { again: true };
  } catch (error) {
    const about = { err: error, request: reference };
    ctx.log.info(about, 'could not search the service for a request');
    return afterFailure(error);
  }
}

/** A refused listing stays refused; anything else, including a missing key, may change. */
function afterFailure(error: unknown): Searched {
  if (!(error instanceof DesignApiError)) return { again: true };
  const { code, retryAt: notBefore } = error;
  const isRefused = code === 'forbidden' || code === 'not_found' || code === 'invalid_request';
  return { again: !isRefused, notBefore };
}

/** @returns undefined once the time is over, or if the clock was set back, so that nobody knows how much is left */
function nextSearch({ updatedAt }: DesignRequest, now: Date, notBefore = now): Date | undefined {
  const doubtedAt = updatedAt.getTime();
  const elapsed = now.getTime() - doubtedAt;
  if (elapsed < -CLOCKS_DIFFER_MS) return undefined;
  const earliest = notBefore.getTime() - doubtedAt;
  const next = SEARCHED_AT_MS.find((at) => at > elapsed && at >= earliest);
  return next === undefined ? undefined : new Date(doubtedAt + next);
}
