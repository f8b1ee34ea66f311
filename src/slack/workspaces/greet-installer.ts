import { z } from 'zod';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { JobHandler } from '../../jobs/job-attempts.ts';
import type { Log } from '../../ops/logging.ts';
import { type Entries, onceKind } from '../../store/entries.ts';
import type { NewJob } from '../../store/jobs.ts';
import type { DirectMessages } from '../client/direct-messages.ts';
import { outcomeOfCall } from '../client/errors.ts';
import type { SlackClients } from '../client/slack-client.ts';
import { SLACK_JOBS } from '../jobs.ts';
import { GREETING } from '../words/install.ts';

const payload = z.object({ userId: z.string() });

/** Who was greeted, until the workspace uninstalls the app. */
const GREETED = onceKind('greeted');

export const greetInstallerJob = (workspaceId: WorkspaceId, userId: string): NewJob => ({
  kind: SLACK_JOBS.greetInstaller,
  workspaceId,
  payload: { userId },
});

/** Tells the person who installed the app the next step, once per installation. */
export function greetInstallerHandler(deps: {
  clients: SlackClients;
  entries: Entries;
  directMessages: DirectMessages;
  now: () => Date;
  log: Log;
}): JobHandler {
  const { clients, entries, directMessages, now, log } = deps;
  return async ({ workspaceId, payload: given }) => {
    const { userId } = payload.parse(given);
    const greeted = { kind: GREETED, owner: workspaceId, name: userId };
    if (await entries.get(greeted)) return 'done';
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
    await entries.put(greeted, true, now());
    return 'done';
  };
}
