import type { SlackDeps } from '../deps.ts';
import { type ActionArgs, workspaceOf } from '../listeners.ts';
import { slackErrorCode } from '../slack-errors.ts';

export const NOT_SHOWN_OUTSIDE =
  'This channel is shared with another company, so cards are not shown here. A workspace admin can allow it with `/design-request settings`.';

/** Slack's ids of direct messages begin with it. The only ones that this app sees are its own. */
const DIRECT_MESSAGE = 'D';

/**
 * Whether people of another company see a channel; undefined where Slack does not say, as of
 * private conversations that the app is not in.
 */
export async function isExternal(
  deps: Pick<SlackDeps, 'conversations'>,
  { client, context }: Pick<ActionArgs, 'client' | 'context'>,
  channelId: string,
): Promise<boolean | undefined> {
  if (channelId.startsWith(DIRECT_MESSAGE)) return false;
  try {
    const about = await deps.conversations.describe(client, workspaceOf(context), channelId);
    return about.isExternal;
  } catch (error) {
    if (slackErrorCode(error) === undefined) throw error;
    return undefined;
  }
}
