import { z } from 'zod';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { JobHandler } from '../../jobs/job-attempts.ts';
import type { Log } from '../../ops/logging.ts';
import type { HintStore } from '../../store/hints.ts';
import type { NewJob } from '../../store/insert-jobs.ts';
import type { DirectMessages } from '../client/direct-messages.ts';
import { outcomeOfCall } from '../client/errors.ts';
import type { SlackClients } from '../client/slack-client.ts';
import { SLACK_JOBS } from '../jobs.ts';
import { GREETING } from '../words/install.ts';

const payload = z.object({ userId: z.string() });

/** The hint that records a greeting; an uninstall deletes it. */
const GREETED = 'installed';

export const greetInstallerJob = (workspaceId: WorkspaceId, userId: string): NewJob => ({
  kind: SLACK_JOBS.greetInstaller,
  workspaceId,
  payload: { userId },
});

/** Tells the person who installed the app the next step, once per installation. */
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
      log.info(
        { err: error, workspace: workspaceId },
        'the message to the person who installed the app may not have arrived',
      );
    }
    await hints.recordFirst(workspaceId, userId, GREETED, now());
    return 'done';
  };
}
