import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { JobHandler } from '../../jobs/job-attempts.ts';
import type { NewJob } from '../../store/jobs.ts';
import { MaybePostedError } from '../client/post-message.ts';
import type { SlackClient, SlackClients } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import { SLACK_JOBS } from '../jobs.ts';
import { section } from '../text/blocks.ts';
import { KEY_REJECTED_MESSAGE } from '../words/connect.ts';
import { connectOffer } from './ask-admin.ts';

/** Queued, so that the call that got the 401 doesn't wait for the message. */
export const keyRejectedJob = (workspaceId: WorkspaceId): NewJob => ({
  kind: SLACK_JOBS.keyRejected,
  workspaceId,
  payload: {},
});

const MESSAGE = {
  text: KEY_REJECTED_MESSAGE,
  blocks: [
    section(KEY_REJECTED_MESSAGE),
    { type: 'actions' as const, elements: [connectOffer('reader')] },
  ],
};

/**
 * Tells the admin who connected a key that the service no longer accepts it. If they can't be
 * reached, or the key came with the deployment, tells some other admins.
 */
export function keyRejectedHandler(
  deps: Pick<SlackDeps, 'keys' | 'people' | 'directMessages' | 'homes' | 'log'> & {
    clients: SlackClients;
  },
): JobHandler {
  /**
   * @returns whether at least one admin was told
   * @throws if none was, but one may be later
   */
  async function tell(client: SlackClient, workspaceId: WorkspaceId, admins: readonly string[]) {
    const sent = await Promise.allSettled(
      admins.map((userId) => deps.directMessages.send(client, { workspaceId, userId }, MESSAGE)),
    );
    const isTold = sent.some((one) =>
      one.status === 'fulfilled' ? one.value.isDelivered : one.reason instanceof MaybePostedError,
    );
    const failed = sent.find((one) => one.status === 'rejected');
    if (!isTold && failed) throw failed.reason;
    return isTold;
  }

  return async ({ workspaceId }) => {
    deps.log.warn(
      { workspace: workspaceId },
      'the service rejected an API key; requests wait until an admin connects a new one',
    );
    deps.homes.workspaceChanged(workspaceId);
    const key = await deps.keys.describe(workspaceId);
    const client = await deps.clients.of(workspaceId);
    const connectedBy = key?.connectedBy ? [key.connectedBy] : [];
    if (await tell(client, workspaceId, connectedBy)) return 'done';
    const admins = await deps.people.listAdmins(client);
    const others = admins.filter((admin) => admin !== key?.connectedBy);
    if (!(await tell(client, workspaceId, others))) {
      deps.log.warn({ workspace: workspaceId }, 'no admin could be told about a rejected API key');
    }
    return 'done';
  };
}
