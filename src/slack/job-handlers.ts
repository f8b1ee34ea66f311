import type { Config } from '../config/config.ts';
import type { JobHandler } from '../jobs/job-attempts.ts';
import { keyRejectedHandler } from './connect/key-rejected.ts';
import type { SlackDeps } from './deps.ts';
import { createFilesCheck } from './files/check-files.ts';
import { lostFileHandler } from './files/lost-file.ts';
import type { OpenFiles } from './files/open-files.ts';
import { SLACK_JOBS } from './jobs.ts';
import { createAnnouncer } from './request-form/announce.ts';
import { completeFormHandler } from './request-form/fill-form.ts';
import { createAuthorCheck, createNewCardWriter } from './request-form/sending.ts';
import { createShow } from './watching/show.ts';
import { createTell } from './watching/tell.ts';
import {
  failStepOfEvent,
  stepFailedHandler,
  stepLimitHandler,
} from './workflow-step/finish-step.ts';
import { greetInstallerHandler } from './workspaces/greet-installer.ts';

export function createSlackJobs(
  { fileMaxBytes, designApi }: Config,
  deps: SlackDeps & { runStoredEvent: JobHandler; files: OpenFiles | undefined },
) {
  const { runStoredEvent, files, now } = deps;
  return {
    handlers: {
      [SLACK_JOBS.event]: runStoredEvent,
      [SLACK_JOBS.keyRejected]: keyRejectedHandler(deps),
      [SLACK_JOBS.greetInstaller]: greetInstallerHandler(deps),
      [SLACK_JOBS.stepLimit]: stepLimitHandler(deps),
      [SLACK_JOBS.stepFailed]: stepFailedHandler(deps),
      [SLACK_JOBS.lostFile]: lostFileHandler(deps),
      [SLACK_JOBS.completeForm]: completeFormHandler(deps),
    },
    whenGivenUp: { [SLACK_JOBS.event]: failStepOfEvent(deps) },
    ofRequests: {
      settings: deps.settings,
      checkAuthor: createAuthorCheck(deps),
      checkFiles: createFilesCheck({ source: files?.source, maxBytes: fileMaxBytes, now }),
      toNewCard: createNewCardWriter({
        ...deps,
        fileLinks: files?.links,
        fileFormat: designApi.fileFormat,
      }),
      announcer: createAnnouncer(deps),
    },
    notifier: { show: createShow(deps), tell: createTell(deps) },
  };
}
