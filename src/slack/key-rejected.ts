import type { JobHandler } from '../jobs/runner.ts';
import type { NewJob } from '../store/insert-jobs.ts';
import type { WorkspaceId } from '../workspaces/workspace-id.ts';
import type { SlackDeps } from './deps.ts';
import { messagePrivately } from './listeners.ts';
import type { SlackClients } from './slack-client.ts';

export const KEY_REJECTED_JOB = 'key-rejected';

/** Whoever met the 401 does not wait until it is told. */
export const keyRejectedJob = (workspaceId: WorkspaceId): NewJob => ({
  kind: KEY_REJECTED_JOB,
  workspaceId,
  payload: {},
});

/**
 * Tells the admin who connected a key that the service no longer accepts it, or some admins where
 * the key came with the deployment.
 */
export function keyRejectedHandler(
  deps: Pick<SlackDeps, 'keys' | 'people' | 'log'> & { clients: SlackClients },
): JobHandler {
  return async ({ workspaceId }) => {
    deps.log.warn({ workspace: workspaceId }, 'the service rejected an API key');
    const key = await deps.keys.describe(workspaceId);
    const client = await deps.clients.of(workspaceId);
    const text =
      'Your design service no longer accepts this workspace’s API key. Requests are kept and wait. Connect a new key with `/design-request connect`, and they go out by themselves.';
    try {
      const admins = key?.connectedBy ? [key.connectedBy] : await deps.people.someAdmins(client);
      for (const admin of admins) await messagePrivately(client, admin, text);
    } catch (error) {
      deps.log.warn({ err: error, workspace: workspaceId }, 'no admin was told of a rejected key');
    }
    return 'done';
  };
}
