import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { JobHandler } from '../../jobs/runner.ts';
import type { Log } from '../../ops/logging.ts';
import type { EffectiveKeys } from '../../service/service-access.ts';
import type { NewJob } from '../../store/jobs.ts';
import type { DirectMessages } from '../client/direct-messages.ts';
import { MaybePostedError } from '../client/direct-messages.ts';
import type { People } from '../client/people.ts';
import type { SlackClients } from '../client/slack-client.ts';
import type { Homes } from '../home/homes.ts';
import { messageAdmin } from '../surface/connection.ts';
import { SLACK_JOBS } from '../surface/jobs.ts';
import { KEY_REJECTED_MESSAGE } from '../words/connect.ts';

/** Queued, so that the call that got the 401 doesn't wait for the message. */
export const keyRejectedJob = (workspaceId: WorkspaceId): NewJob => ({
  kind: SLACK_JOBS.keyRejected,
  workspaceId,
  payload: {},
});

/**
 * Tells the admin who connected a key that the service no longer accepts it. If they can't be
 * reached, or the key came with the deployment, tells some other admins.
 */
export function keyRejectedHandler(deps: {
  keys: Pick<EffectiveKeys, 'describe'>;
  people: People;
  directMessages: DirectMessages;
  homes: Homes;
  clients: SlackClients;
  log: Log;
}): JobHandler {
  return async ({ workspaceId }) => {
    deps.log.warn(
      { workspace: workspaceId },
      'the service rejected an API key; requests wait until an admin connects a new one',
    );
    deps.homes.workspaceChanged(workspaceId);
    const key = await deps.keys.describe(workspaceId);
    const to = { client: await deps.clients.of(workspaceId), workspaceId, known: key?.connectedBy };
    try {
      const reached = await messageAdmin(deps, to, KEY_REJECTED_MESSAGE);
      if (reached.length > 0) return 'done';
      deps.log.warn({ workspace: workspaceId }, 'no admin could be told about a rejected API key');
    } catch (error) {
      // Not retried: a missing message is better than a repeated one.
      if (!(error instanceof MaybePostedError)) throw error;
    }
    return 'done';
  };
}
