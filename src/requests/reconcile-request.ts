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

/** The newest cards are the ones to look at; more would make the answer slow. */
const TASKS_LOOKED_AT = 100;

/**
 * Looks at the service for a request that may have arrived there: its reference stands in the card's
 * description. Found means created. Anything else, an unreadable listing or one without it, proves
 * nothing, since what `GET /tasks` lists is not documented, so the author is asked.
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
    const change = { cardId };
    await changeRequestState(ctx, request, {
      from: ['in_doubt'],
      to: 'created',
      change,
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
    const query = { projectId, perPage: TASKS_LOOKED_AT };
    const { items } = await ctx.service.call(workspaceId, (api) => api.listTasks(query));
    return items.find(({ descriptionHtml }) => descriptionHtml?.includes(reference))?.id;
  } catch (error) {
    ctx.log.info({ err: error, request: reference }, 'the service could not be searched');
    return undefined;
  }
}
