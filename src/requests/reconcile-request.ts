import type { WorkspaceSettingsStore } from '../installations/settings.ts';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { JobOutcome } from '../jobs/runner.ts';
import type { Log } from '../ops/logging.ts';
import { DesignApiError, type DesignApiErrorCode } from '../service/errors.ts';
import type { ServiceAccess } from '../service/service-access.ts';
import type { Announcer } from './announce-request.ts';
import type { ChangeContext } from './change-request-state.ts';
import { LISTED_TASKS } from './check-project.ts';
import { announceJob, isSearchedFor } from './jobs.ts';
import { recordFound } from './link-card.ts';
import { type DesignRequest, isUnnamed } from './request.ts';

export type ReconcileContext = ChangeContext & {
  settings: WorkspaceSettingsStore;
  service: ServiceAccess;
  jobs: JobQueue;
  announcer: Pick<Announcer, 'show'>;
  log: Log;
};

/** Since it has been in doubt: a slow service may create the card, or list it, minutes later. */
const SEARCHED_AT_MS = [0, 5_000, 15_000, 35_000, 75_000, 155_000, 315_000, 600_000];
const LAST_SEARCH_MS = Math.max(...SEARCHED_AT_MS);

/** The same for a request whose card the service didn't name: its confirmation waits for this. */
const UNNAMED_SEARCHED_AT_MS = [0, 2_000, 5_000, 15_000];

/**
 * Searches for a request in doubt or unnamed by the reference in its card's description. If it is
 * found, it was created. Not finding it proves nothing, because it is undocumented what `GET /tasks`
 * lists; after about ten minutes, its author is asked. An unnamed one is announced after 15 seconds.
 *
 * The job is postponed between searches, so they survive a restart, and only one replica searches.
 */
export async function reconcileRequest(
  ctx: ReconcileContext,
  input: { workspaceId: WorkspaceId; requestId: string; revision: number; isFirst: boolean },
): Promise<JobOutcome> {
  const request = await ctx.requests.get(input.workspaceId, input.requestId);
  if (!request || request.revision !== input.revision) return 'done';
  if (!isSearchedFor(request)) {
    // Its card was read meanwhile, which linked it.
    if (request.state === 'created') await ctx.jobs.add(announceJob(request));
    return 'done';
  }
  const { projectId } = await ctx.settings.get(request.workspaceId);
  const searched = projectId ? await search(ctx, request, { projectId, ...input }) : 'refused';
  if (typeof searched === 'object' && 'found' in searched) {
    await recordFound(ctx, request, searched.found.id);
    if (isUnnamed(request)) await ctx.jobs.add(announceJob(request));
    return 'done';
  }
  const retryAt = nextSearch(request, searched, ctx.now());
  if (retryAt) return { retryAt };
  const elapsedMs = ctx.now().getTime() - request.updatedAt.getTime();
  const isSearched =
    request.state === 'in_doubt' && searched === 'not_found' && elapsedMs >= LAST_SEARCH_MS;
  await ctx.jobs.add(announceJob(request, isSearched ? LAST_SEARCH_MS / 60_000 : undefined));
  return 'done';
}

/** `refused` is final; after `failed`, such as without a key, a later search may work. */
type Searched =
  | { found: { id?: string | undefined } }
  /** Failed, and may be asked again from then on. */
  | { retryAt: Date }
  | 'not_found'
  | 'failed'
  | 'refused';

const REFUSED: ReadonlySet<DesignApiErrorCode> = new Set([
  'forbidden',
  'not_found',
  'invalid_request',
]);

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
      // Uses only calls that people and links don't need.
      api.listTasks(query, { callClass: 'background' }),
    );
    const found = items.find(({ descriptionHtml }) => descriptionHtml?.includes(reference));
    return found ? { found } : 'not_found';
  } catch (error) {
    const about = { err: error, request: reference };
    ctx.log.info(about, 'could not search the service for a request');
    if (!(error instanceof DesignApiError)) return 'failed';
    if (REFUSED.has(error.code)) return 'refused';
    return error.retryAt ? { retryAt: error.retryAt } : 'failed';
  }
}

/** When the service may be asked again, or else the next planned time; undefined after the last. */
function nextSearch({ state, updatedAt }: DesignRequest, searched: Searched, now: Date) {
  if (searched === 'refused') return undefined;
  const times = state === 'in_doubt' ? SEARCHED_AT_MS : UNNAMED_SEARCHED_AT_MS;
  const startedAt = updatedAt.getTime();
  const notBefore = typeof searched === 'object' && 'retryAt' in searched ? searched.retryAt : now;
  const planned = times.find((at) => at > now.getTime() - startedAt);
  const next = notBefore > now ? notBefore.getTime() - startedAt : planned;
  return next !== undefined && next <= Math.max(...times) ? new Date(startedAt + next) : undefined;
}
