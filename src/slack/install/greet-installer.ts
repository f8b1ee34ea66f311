import { z } from 'zod';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { JobHandler } from '../../jobs/runner.ts';
import type { Log } from '../../ops/logging.ts';
import type { HintStore } from '../../store/hints.ts';
import type { NewJob } from '../../store/insert-jobs.ts';
import type { WorkspaceId } from '../../workspaces/workspace-id.ts';
import { messagePrivately } from '../listeners.ts';
import type { SlackClients } from '../slack-client.ts';
import { outcomeOfCall, slackErrorCode, slackRetryAt } from '../slack-errors.ts';

export const GREET_INSTALLER_JOB = 'greet-installer';

const payload = z.object({ userId: z.string() });

const GREETING =
  'Thanks for installing Design Request. One step is left: a workspace admin types `/design-request connect` and pastes the API key of your design service. Then anybody can type `/design-request` to order something.';

/** The hint under which a person counts as greeted; it goes with the workspace. */
const GREETED = 'installed';

export const greetInstallerJob = (workspaceId: WorkspaceId, userId: string): NewJob => ({
  kind: GREET_INSTALLER_JOB,
  workspaceId,
  payload: { userId },
});

/** Writes the first step to whoever installed the app, once for as long as the app stays installed. */
export function greetInstallerHandler(deps: {
  clients: SlackClients;
  hints: HintStore;
  now: () => Date;
  log: Log;
}): JobHandler {
  const { clients, hints, now, log } = deps;
  return async ({ workspaceId, payload: given }) => {
    const { userId } = payload.parse(given);
    if (await hints.hasHad(workspaceId, userId, GREETED)) return 'done';
    try {
      await messagePrivately(await clients.of(workspaceId), userId, GREETING);
    } catch (error) {
      const retryAt = slackRetryAt(error, now());
      if (retryAt) throw new RetryLaterError(retryAt, { cause: error });
      if (outcomeOfCall(error) === 'not_done') throw error;
      // An organisation's install may be in no workspace yet, where nobody can be written to.
      log.info(
        { workspace: workspaceId, code: slackErrorCode(error) },
        'an installer was not greeted',
      );
    }
    await hints.takeTurn(workspaceId, userId, GREETED, now());
    return 'done';
  };
}
