import type { JobQueue } from '../jobs/runner.ts';
import type { RequestStore } from '../store/requests.ts';
import { announceJob, deliverJob, reconcileJob } from './jobs.ts';

/**
 * Makes the jobs that a process which ended between two commits did not make: requests that are
 * still to be delivered, and outcomes that nobody was told of. Jobs that exist are not doubled.
 */
export async function resumeUnfinished(ctx: {
  requests: RequestStore;
  jobs: JobQueue;
  now: () => Date;
}): Promise<void> {
  for (const request of await ctx.requests.listWaiting('key_unreadable')) {
    // Perhaps the keyring is the right one now; else it waits again.
    await ctx.requests.move(request, ['waiting_for_key'], 'queued', {}, ctx.now());
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
