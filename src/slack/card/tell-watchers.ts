import type { Cards } from '../../design-service.ts';
import type { WorkspaceSettings, WorkspaceSettingsStore } from '../../installations/settings.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import type { Log } from '../../ops/logging.ts';
import { isTransient } from '../../service/errors.ts';
import { isSameThread, type Thread, type WatchStore } from '../../store/watches.ts';
import { tellJob } from '../../watching/begin-watching.ts';
import type { WatchNotifier } from '../../watching/read-watched-card.ts';
import type { Conversations } from '../client/conversations.ts';
import { type DirectMessages, isDirectMessage } from '../client/direct-messages.ts';
import { outcomeOfCall, slackErrorCode } from '../client/errors.ts';
import type { People } from '../client/people.ts';
import { MaybePostedError, postMessage } from '../client/post-message.ts';
import type { SlackClient, SlackClients } from '../client/slack-client.ts';
import { accessDenial } from '../surface/access.ts';
import { buildChangeMessage, type ChangeMessage } from './change-message.ts';
import { retryLater } from './show-change.ts';

/** More would make a message in a thread unreadable, and too long for Slack. */
const MENTIONS_MAX = 50;
/** Slack's limit for one call (docs.slack.dev/reference/methods/conversations.members). */
const MEMBERS_MAX = 999;

/** After this time, a change is announced without the card's title and files, in ms. */
const TELL_INCOMPLETE_AFTER_MS = 60 * 60_000;

type Change = Parameters<WatchNotifier['tell']>[0];
type ChangeToTell = Change & { client: SlackClient; settings: WorkspaceSettings };

/**
 * Tells people about a change of a card, where they asked to hear of it: one message in a thread, or a direct message.
 *
 * Drops people who may no longer use the app; people outside the thread's channel get a direct message. If Slack
 * refuses to post in a thread, or another company would see it there, its watchers get direct messages from then on.
 */
export function createChangeMessages(deps: {
  settings: WorkspaceSettingsStore;
  clients: SlackClients;
  people: People;
  cards: Cards;
  watches: WatchStore;
  jobs: Pick<JobQueue, 'add'>;
  conversations: Conversations;
  directMessages: DirectMessages;
  now: () => Date;
  log: Log;
}): WatchNotifier['tell'] {
  const { clients, people, cards, watches, jobs, conversations, directMessages, now, log } = deps;

  async function tell(change: ChangeToTell): Promise<void> {
    const { client, to } = change;
    // Direct messages have no threads for changes.
    const thread = to.thread && !isDirectMessage(to.thread.channel) ? to.thread : undefined;
    const { here, elsewhere } = await stillWatching(change);
    // Queued first, since Slack may fail to say who is in the others' channel.
    await queueDirectly(change, elsewhere);
    const allowed = await stillAllowed(change, here);
    const userIds = thread ? await mentionable(client, thread, allowed) : allowed;
    const outsideChannel = allowed.filter((userId) => !userIds.includes(userId));
    await queueDirectly(change, outsideChannel);
    if (userIds.length === 0) return;
    const message = await messageAbout(change, thread ? userIds : []);
    if (thread) return tellInThread(change, thread, message);
    for (const userId of userIds) {
      await directMessages.send(client, { ...change, userId }, buildChangeMessage(message));
    }
  }

  /**
   * Who of those to tell still watches here, and who by now watches elsewhere and gets a direct message. Between a
   * change and its message, someone may have stopped, which ends the messages in a thread for all who watch there. The
   * watch of a card that is gone has ended, and that is the news.
   */
  async function stillWatching(change: Change) {
    const { news, to } = change;
    if (news === 'gone') return { here: to.userIds, elsewhere: [] };
    const watchers = await watches.watchersOf(change);
    const watching = watchers.filter(({ userId }) => to.userIds.includes(userId));
    const { here = [], elsewhere = [] } = Object.groupBy(watching, ({ thread }) =>
      !to.thread || isSameThread(thread, to.thread) ? 'here' : 'elsewhere',
    );
    const idsOf = (some: typeof watching) => some.map(({ userId }) => userId);
    return { here: idsOf(here), elsewhere: idsOf(elsewhere) };
  }

  /** People who may not use the app any more stop watching. */
  async function stillAllowed(
    { client, workspaceId, cardId, settings }: ChangeToTell,
    userIds: readonly string[],
  ): Promise<string[]> {
    const allowed: string[] = [];
    for (const userId of userIds) {
      const person = await people.lookUp(client, workspaceId, userId);
      if (person.isBot || (await accessDenial(person, async () => settings))) {
        await watches.removeWatcher({ workspaceId, cardId }, userId);
      } else {
        allowed.push(userId);
      }
    }
    return allowed;
  }

  /** Each in a job of its own, so that none is sent twice because another one failed. */
  async function queueDirectly(
    { workspaceId, cardId, news, readAt, source }: Change,
    userIds: readonly string[],
  ): Promise<void> {
    for (const userId of userIds) {
      const to = { userIds: [userId] };
      await jobs.add(tellJob({ workspaceId, cardId, ...source }, { to, news, readAt }));
    }
  }

  async function messageAbout(
    { workspaceId, cardId, news, readAt, isFirst, to }: Change,
    mentioned: readonly string[],
  ): Promise<ChangeMessage> {
    const asked = { class: 'background', since: readAt } as const;
    const reading = await cards.read(workspaceId, cardId, asked).catch((error: unknown) => {
      const waitedMs = now().getTime() - readAt.getTime();
      if (!isTransient(error) || news === 'gone' || waitedMs > TELL_INCOMPLETE_AFTER_MS)
        return undefined;
      throw retryLater(error, now());
    });
    return {
      ...{ cardId, news, mentioned, now: now() },
      card: reading && 'card' in reading ? reading.card : undefined,
      url: cards.urlIfPossible(cardId),
      explainsReplies: isFirst === true && to.thread !== undefined,
    };
  }

  async function tellInThread(change: ChangeToTell, thread: Thread, message: ChangeMessage) {
    const { client, workspaceId, settings } = change;
    const { channel, ts } = thread;
    const { muted } = await deps.settings.ofChannels.get(workspaceId, channel);
    // The thread goes on once the channel is no longer muted.
    if (muted) return queueDirectly(change, message.mentioned);
    try {
      const { isExternal } = await conversations.describe(client, workspaceId, channel);
      if (!isExternal || settings.shareExternally) {
        await postMessage(client, channel, buildChangeMessage(message), ts);
        return;
      }
    } catch (error) {
      if (outcomeOfCall(error) !== 'refused') throw error;
      const code = slackErrorCode(error);
      log.info({ workspace: workspaceId, code }, 'Slack refused to post a change of a card');
    }
    await queueDirectly(change, message.mentioned);
    await watches.leaveThread(change, thread);
  }

  return async (change) => {
    const { workspaceId, cardId, to, readAt } = change;
    const settings = await deps.settings.get(workspaceId);
    if (settings.muted) return;
    const client = await clients.of(workspaceId);
    try {
      await tell({ ...change, client, settings });
    } catch (error) {
      const mayBePosted = error instanceof MaybePostedError;
      const message = JSON.stringify([workspaceId, cardId, to, readAt]);
      if (!mayBePosted || directMessages.mayRepeat(message)) throw error;
      log.warn({ err: error }, 'it is unknown whether a change of a card was announced');
    }
  };
}

/**
 * Who is mentioned in a channel: not too many, and only members, since Slack notifies nobody else.
 * In a channel with more members than Slack lists at once, everyone counts as one.
 */
async function mentionable(client: SlackClient, { channel }: Thread, userIds: readonly string[]) {
  if (userIds.length === 0) return userIds;
  const asked = { channel, limit: MEMBERS_MAX };
  try {
    const { members = [], response_metadata: more } = await client.conversations.members(asked);
    const here = more?.next_cursor ? userIds : userIds.filter((id) => members.includes(id));
    return here.slice(0, MENTIONS_MAX);
  } catch (error) {
    if (outcomeOfCall(error) !== 'refused') throw error;
    // Posting there will say what is wrong.
    return userIds.slice(0, MENTIONS_MAX);
  }
}
