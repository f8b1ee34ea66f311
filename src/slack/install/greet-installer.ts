import { z } from 'zod';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { JobHandler } from '../../jobs/job-attempts.ts';
import type { Log } from '../../ops/logging.ts';
import type { HintStore } from '../../store/hints.ts';
import type { NewJob } from '../../store/insert-jobs.ts';
import type { DirectMessages } from '../client/direct-messages.ts';
import { outcomeOfCall } from '../client/errors.ts';
import type { SlackClients } from '../client/slack-client.ts';

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
  directMessages: DirectMessages;
  now: () => Date;
  log: Log;
}): JobHandler {
  const { clients, hints, directMessages, now, log } = deps;
  return async ({ workspaceId, payload: given }) => {
    const { userId } = payload.parse(given);
    if (await hints.hasHad(workspaceId, userId, GREETED)) return 'done';
    try {
      const client = await clients.of(workspaceId);
      await directMessages.send(client, { workspaceId, userId }, { text: GREETING });
    } catch (error) {
      if (outcomeOfCall(error) === 'not_done') throw error;
      log.info({ err: error, workspace: workspaceId }, 'an installer may not have been greeted');
    }
    await hints.takeTurn(workspaceId, userId, GREETED, now());
    return 'done';
  };
}
