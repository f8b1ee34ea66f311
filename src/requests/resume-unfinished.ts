import type { JobQueue } from '../jobs/runner.ts';
import type { ApiKeyStore } from '../store/api-keys.ts';
import type { RequestStore } from '../store/requests.ts';
import { announceJob, deliverJob, reconcileJob } from './jobs.ts';
import { resumeWaiting } from './resume-waiting.ts';

/**
 * Makes the jobs that a process which ended between two commits did not make: requests that are
 * still to be delivered, keys that nobody was woken by, and outcomes that nobody was told of. Jobs
 * that exist are not doubled.
 */
export async function resumeUnfinished(ctx: {
  requests: RequestStore;
  keys: ApiKeyStore;
  jobs: JobQueue;
  now: () => Date;
}): Promise<void> {
  const waiting = await ctx.requests.listWaiting();
  for (const request of waiting) {
    // Perhaps the keyring is the right one now; else it waits again.
    if (request.problem?.code !== 'key_unreadable') continue;
    await ctx.requests.move(request, ['waiting_for_key'], 'queued', {}, ctx.now());
  }
  for (const workspaceId of new Set(waiting.map((request) => request.workspaceId))) {
    await resumeWaiting(ctx, workspaceId);
  }
  for (const request of await ctx.requests.listUndelivered()) {
    await ctx.jobs.add(deliverJob(request));
  }
  for (const request of await ctx.requests.listUnannounced()) {
    // One that was looked for already is not looked for again.
    const looksFirst = request.state === 'in_doubt' && (await ctx.jobs.add(reconcileJob(request)));
    if (!looksFirst) await ctx.jobs.add(announceJob(request));
  }
}
