import type { DesignRequest, RequestProblem } from '../../requests/request.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import type { AdminToAsk } from '../words/errors.ts';

/** Problems that an admin can solve. */
const ADMINS_CAN_HELP: ReadonlySet<string> = new Set<RequestProblem['code']>([
  'author_denied',
  'no_key',
  'key_rejected',
  'key_unreadable',
  'forbidden',
]);

/** An admin to name to the author of a request, if one can help with it. */
export const adminFor = async (
  { adminToAsk }: Pick<SlackDeps, 'adminToAsk'>,
  client: SlackClient,
  { problem, workspaceId, userId }: DesignRequest,
): Promise<AdminToAsk> =>
  problem && ADMINS_CAN_HELP.has(problem.code)
    ? adminToAsk(client, workspaceId, userId)
    : undefined;
