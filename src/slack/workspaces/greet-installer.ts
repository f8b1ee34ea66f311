import { z } from 'zod';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { JobHandler } from '../../jobs/job-attempts.ts';
import { onceKind } from '../../store/entries.ts';
import type { NewJob } from '../../store/jobs.ts';
import type { DirectMessages } from '../client/direct-messages.ts';
import type { SlackClients } from '../client/slack-client.ts';
import { SLACK_JOBS } from '../surface/jobs.ts';
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
  directMessages: DirectMessages;
}): JobHandler {
  const { clients, directMessages } = deps;
  return async ({ workspaceId, payload: given }) => {
    const { userId } = payload.parse(given);
    const greeted = { kind: GREETED, owner: workspaceId, name: userId };
    const client = await clients.of(workspaceId);
    await directMessages.sendOnce(greeted, client, { workspaceId, userId }, { text: GREETING });
    return 'done';
  };
}
