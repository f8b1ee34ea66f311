import type { DesignService } from './design-service.ts';
import { createLease } from './jobs/lease.ts';
import type { JobQueue } from './jobs/queue.ts';
import { createJobRunner } from './jobs/runner.ts';
import type { Log } from './ops/logging.ts';
import type { Metrics } from './ops/metrics/metrics.ts';
import { requestGiveUpHandlers, requestJobHandlers } from './requests/job-handlers.ts';
import { resumeRequests } from './requests/resume.ts';
import { retryAfterSlackError } from './slack/client/errors.ts';
import type { createSlack } from './slack/create-slack.ts';
import type { NewJob } from './store/jobs.ts';
import type { Stores } from './store/stores.ts';
import { watchJobHandlers } from './watching/read-watched-card.ts';

export function createJobs(
  deps: DesignService & {
    slack: ReturnType<typeof createSlack>['forJobs'];
    stores: Stores;
    isShared: boolean;
    jobs: JobQueue;
    metrics: Metrics;
    stopping: AbortSignal;
    now: () => Date;
    log: Log;
  },
) {
  const { slack, stores, isShared, metrics, now, log } = deps;
  const { jobTable, replicas } = stores;
  const ctx = { ...stores, ...deps };
  const retryAfter = retryAfterSlackError;
  // Stored requests are resumed whether or not their workspace is known to have the app by now.
  const uncheckedJobs = { add: (job: NewJob) => jobTable.add(job, now()) };
  const resume = () => resumeRequests({ ...ctx, jobs: uncheckedJobs });
  const lease = isShared ? createLease({ replicas, onExpired: resume, now, log }) : undefined;
  const runner = createJobRunner({
    jobs: jobTable,
    lease,
    giveUpHandlers: { ...requestGiveUpHandlers(ctx), ...slack.giveUpHandlers },
    retryAfter,
    observer: { kinds: metrics.jobKinds, attempted: metrics.attempted },
    handlers: {
      ...slack.handlers,
      ...requestJobHandlers({ ...ctx, ...slack.ofRequests, retryAfter }),
      ...watchJobHandlers({ ...ctx, notifier: slack.notifier }),
    },
    now,
    log,
  });
  return {
    resume,
    runner,
  };
}
