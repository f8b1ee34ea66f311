import type { WorkspaceSettingsStore } from '../../installations/settings.ts';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { AuthorDenied, DesignRequest } from '../../requests/request.ts';
import { slackRetryAt } from '../client/errors.ts';
import type { SlackClients } from '../client/slack-client.ts';
import type { People } from '../directory/people.ts';
import { whyNotUser } from '../listener/access.ts';

/**
 * Creates the check that runs right before a request is sent: its author may have left or become a
 * guest since submitting it, or guests may have lost access.
 *
 * The check throws RetryLaterError or Slack's error if Slack doesn't answer; the request is not
 * sent then.
 */
export function createAuthorCheck(deps: {
  clients: SlackClients;
  people: People;
  settings: WorkspaceSettingsStore;
  now: () => Date;
}): (request: DesignRequest) => Promise<AuthorDenied | undefined> {
  return async ({ workspaceId, userId }) => {
    try {
      const client = await deps.clients.of(workspaceId);
      const author = await deps.people.lookUp(client, workspaceId, userId, { fresh: true });
      return await whyNotUser(author, () => deps.settings.get(workspaceId));
    } catch (error) {
      const retryAt = slackRetryAt(error, deps.now());
      throw retryAt ? new RetryLaterError(retryAt, { cause: error }) : error;
    }
  };
}
