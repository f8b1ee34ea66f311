import type { Config } from './config/config.ts';
import type { JobHandler } from './jobs/job-attempts.ts';
import { createLease } from './jobs/lease.ts';
import { createJobRunner } from './jobs/runner.ts';
import type { Metrics } from './ops/metrics/metrics.ts';
import { givenUpRequestJobs, requestJobHandlers } from './requests/job-handlers.ts';
import { resumeRequests } from './requests/resume.ts';
import { retryAfterSlackError } from './slack/client/errors.ts';
import { keyRejectedHandler } from './slack/connect/key-rejected.ts';
import type { createSlack } from './slack/create-slack.ts';
import { createFilesCheck } from './slack/files/check-files.ts';
import { lostFileHandler } from './slack/files/lost-file.ts';
import type { OpenFiles } from './slack/files/open-files.ts';
import { SLACK_JOBS } from './slack/jobs.ts';
import { createAnnouncer } from './slack/request-form/announce.ts';
import { completeFormHandler } from './slack/request-form/fill-form.ts';
import { createAuthorCheck, createNewCardWriter } from './slack/request-form/sending.ts';
import { createShow } from './slack/watching/show.ts';
import { createTell } from './slack/watching/tell.ts';
import {
  failStepOfEvent,
  stepFailedHandler,
  stepLimitHandler,
} from './slack/workflow-step/finish-step.ts';
import { greetInstallerHandler } from './slack/workspaces/greet-installer.ts';
import type { NewJob } from './store/jobs.ts';
import type { Stores } from './store/stores.ts';
import { watchJobHandlers } from './watching/job-handlers.ts';
import { WATCH_SCHEDULE } from './watching/schedule.ts';

/** Stored jobs of every kind, and what runs them. */
export function createJobs(
  { fileMaxBytes, designApi }: Config,
  deps: {
    handlerDeps: ReturnType<typeof createSlack>['handlerDeps'];
    stores: Stores;
    isShared: boolean;
    files: OpenFiles | undefined;
    runStoredEvent: JobHandler;
    metrics: Metrics;
    stopping: AbortSignal;
  },
) {
  const { handlerDeps, stores, isShared, files, runStoredEvent, metrics, stopping } = deps;
  const { keys, now, log } = handlerDeps;
  const { jobTable, replicas } = stores;
  // Stored requests are resumed whether or not their workspace is known to have the app by now.
  const uncheckedJobs = { add: (job: NewJob) => jobTable.add(job, now()) };
  const resume = () => resumeRequests({ ...stores, keys, jobs: uncheckedJobs, now });
  const lease = isShared ? createLease({ replicas, onExpired: resume, now, log }) : undefined;
  const runner = createJobRunner({
    jobs: jobTable,
    lease,
    whenGivenUp: {
      ...givenUpRequestJobs({ ...handlerDeps, jobTable }),
      [SLACK_JOBS.event]: failStepOfEvent(handlerDeps),
    },
    retryAfter: retryAfterSlackError,
    observer: { kinds: metrics.jobKinds, attempted: metrics.attempted },
    handlers: {
      [SLACK_JOBS.event]: runStoredEvent,
      [SLACK_JOBS.keyRejected]: keyRejectedHandler(handlerDeps),
      [SLACK_JOBS.greetInstaller]: greetInstallerHandler(handlerDeps),
      [SLACK_JOBS.stepLimit]: stepLimitHandler(handlerDeps),
      [SLACK_JOBS.stepFailed]: stepFailedHandler(handlerDeps),
      [SLACK_JOBS.lostFile]: lostFileHandler(handlerDeps),
      [SLACK_JOBS.completeForm]: completeFormHandler(handlerDeps),
      ...requestJobHandlers({
        ...handlerDeps,
        jobTable,
        stopping,
        checkAuthor: createAuthorCheck(handlerDeps),
        checkFiles: createFilesCheck({
          source: files?.source,
          maxBytes: fileMaxBytes,
          now,
        }),
        toNewCard: createNewCardWriter({
          ...handlerDeps,
          fileLinks: files?.links,
          fileFormat: designApi.fileFormat,
        }),
        announcer: createAnnouncer(handlerDeps),
      }),
      ...watchJobHandlers({
        ...handlerDeps,
        schedule: WATCH_SCHEDULE,
        notifier: { show: createShow(handlerDeps), tell: createTell(handlerDeps) },
      }),
    },
    now,
    log,
  });
  return {
    /** Adds the jobs that are missing. */
    resume,
    runner,
  };
}
