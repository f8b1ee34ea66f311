import type { JobQueue } from '../jobs/runner.ts';
import type { RequestStore } from '../store/requests.ts';
import { deliverJob } from './jobs.ts';

/**
 * Queues every request of the workspace that waited for a key.
 *
 * @returns how many there were
 */
export async function resumeWaiting(
  ctx: { requests: RequestStore; jobs: JobQueue; now: () => Date },
  workspaceId: string,
): Promise<number> {
  const waiting = await ctx.requests.listByState(workspaceId, 'waiting_for_key');
  let resumed = 0;
  for (const request of waiting) {
    const queued = await ctx.requests.move(request, ['waiting_for_key'], 'queued', {}, ctx.now());
    if (!queued) continue;
    await ctx.jobs.add(deliverJob(queued));
    resumed += 1;
  }
  return resumed;
}
