import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { JobOutcome } from '../jobs/job-attempts.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { Log } from '../ops/logging.ts';
import type { ServiceAccess } from '../service/service-access.ts';
import type { RequestStore } from '../store/requests.ts';
import type { Transact } from '../store/transact.ts';
import type { WorkspaceSettingsStore } from '../store/workspace-settings.ts';
import { changeRequestState } from './change-request-state.ts';
import { announceJob } from './jobs.ts';
import type { DesignRequest } from './request.ts';

export type ReconcileContext = {
  requests: RequestStore;
  settings: WorkspaceSettingsStore;
  service: ServiceAccess;
  jobs: JobQueue;
  transact: Transact;
  now: () => Date;
  log: Log;
};

/** Only the newest cards are searched, to keep the answer fast. */
const SEARCHED_TASKS = 100;

/**
 * Searches the service for a request in doubt, by the reference in its card's description. If it is found, it
 * was created. Not finding it proves nothing, because it is undocumented what `GET /tasks` lists; then its
 * author is asked.
 */
export async function reconcileRequest(
  ctx: ReconcileContext,
  input: { workspaceId: WorkspaceId; requestId: string; revision: number },
): Promise<JobOutcome> {
  const request = await ctx.requests.get(input.workspaceId, input.requestId);
  if (request?.state !== 'in_doubt' || request.revision !== input.revision) return 'done';
  const cardId = await findCard(ctx, request);
  if (cardId === undefined) {
    await ctx.jobs.add(announceJob(request));
  } else {
    await changeRequestState(ctx, request, {
      from: ['in_doubt'],
      to: 'created',
      change: { cardId },
      nextJob: announceJob,
    });
  }
  return 'done';
}

async function findCard(
  ctx: ReconcileContext,
  { workspaceId, reference }: DesignRequest,
): Promise<string | undefined> {
  const { projectId } = await ctx.settings.get(workspaceId);
  if (!projectId) return undefined;
  try {
    const query = { projectId, perPage: SEARCHED_TASKS };
    const { items } = await ctx.service.call(workspaceId, (api) => api.listTasks(query));
    return items.find(({ descriptionHtml }) => descriptionHtml?.includes(reference))?.id;
  } catch (error) {
    const about = { err: error, request: reference };
    ctx.log.info(about, 'could not search the service for a request');
    return undefined;
  }
}
