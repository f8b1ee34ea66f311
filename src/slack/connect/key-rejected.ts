import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { JobHandler } from '../../jobs/job-attempts.ts';
import type { NewJob } from '../../store/insert-jobs.ts';
import { PostedPerhapsError } from '../client/post-message.ts';
import type { SlackClient, SlackClients } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';

export const KEY_REJECTED_JOB = 'key-rejected';

/** Whoever met the 401 does not wait until it is told. */
export const keyRejectedJob = (workspaceId: WorkspaceId): NewJob => ({
  kind: KEY_REJECTED_JOB,
  workspaceId,
  payload: {},
});

const REJECTED =
  'Your design service no longer accepts this workspace’s API key. Requests are kept and wait. Connect a new key with `/design-request connect`, and they go out by themselves.';

/**
 * Tells the admin who connected a key that the service no longer accepts it; if that one can't be
 * reached, or the key came with the deployment, some other admins.
 */
export function keyRejectedHandler(
  deps: Pick<SlackDeps, 'keys' | 'people' | 'directMessages' | 'log'> & { clients: SlackClients },
): JobHandler {
  /** @returns whether at least one was told @throws if none was, but one may be later */
  async function tell(client: SlackClient, workspaceId: WorkspaceId, admins: readonly string[]) {
    const sent = await Promise.allSettled(
      admins.map((userId) =>
        deps.directMessages.send(client, { workspaceId, userId }, { text: REJECTED }),
      ),
    );
    const isTold = sent.some((one) =>
      one.status === 'fulfilled' ? one.value.isDelivered : one.reason instanceof PostedPerhapsError,
    );
    const failed = sent.find((one) => one.status === 'rejected');
    if (!isTold && failed) throw failed.reason;
    return isTold;
  }

  return async ({ workspaceId }) => {
    deps.log.warn({ workspace: workspaceId }, 'the service rejected an API key');
    const key = await deps.keys.describe(workspaceId);
    const client = await deps.clients.of(workspaceId);
    const connectedBy = key?.connectedBy ? [key.connectedBy] : [];
    if (await tell(client, workspaceId, connectedBy)) return 'done';
    const admins = await deps.people.listAdmins(client);
    const others = admins.filter((admin) => admin !== key?.connectedBy);
    if (!(await tell(client, workspaceId, others))) {
      deps.log.warn({ workspace: workspaceId }, 'no admin was told of a rejected key');
    }
    return 'done';
  };
}
