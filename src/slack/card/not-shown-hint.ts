import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { onceKind } from '../../store/entries.ts';
import { outcomeOfCall, slackErrorCode } from '../client/errors.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';

/** The reasons that people were told, by channel. */
const NOT_SHOWN = onceKind('link_not_shown');

export type HintDeps = Pick<SlackDeps, 'entries' | 'directMessages' | 'now' | 'log'>;

/** Why nothing is shown under the links of a message. */
export type NotShown = 'not-connected' | 'not-found' | 'not-read' | 'external';

/**
 * Tells the person who posted a link why nothing is shown, so that only they see it: once for each
 * reason and channel. Where the app isn't in the channel, it can't, and tries with their next link; only what someone
 * can fix for all channels is sent as a direct message instead.
 */
export async function hintNotShown(
  deps: HintDeps,
  client: SlackClient,
  input: {
    workspaceId: WorkspaceId;
    event: { user: string; channel: string; thread_ts?: string };
    reason: NotShown;
    words(): Promise<string> | string;
  },
): Promise<void> {
  const { workspaceId, event, reason, words } = input;
  const { user, channel, thread_ts } = event;
  const thread = thread_ts === undefined ? {} : { thread_ts };
  const hint = { kind: NOT_SHOWN, owner: workspaceId, name: `${user}/${reason}/${channel}` };
  if (!(await deps.entries.takeOnce(hint, deps.now()))) return;
  const text = await words();
  const withNextLink = async (error: unknown) => {
    deps.log.info({ err: error, reason }, 'could not give a hint; it comes with the next link');
    await deps.entries.remove(hint);
  };
  try {
    await client.chat.postEphemeral({ channel, user, text, ...thread });
  } catch (error) {
    if (outcomeOfCall(error) !== 'refused') return withNextLink(error);
    deps.log.debug({ code: slackErrorCode(error), reason }, 'could not post a hint in the channel');
    if (reason !== 'not-connected') return withNextLink(error);
    await deps.directMessages
      .send(client, { workspaceId, userId: user }, { text })
      .catch(withNextLink);
  }
}
