import type { WorkspaceSettingsStore } from '../../installations/settings.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import type { Log } from '../../ops/logging.ts';
import {
  type CardWatcher,
  isSameThread,
  type Thread,
  type WatchStore,
} from '../../store/watches.ts';
import { type Audience, tellJob } from '../../watching/begin-watching.ts';
import type { WatchNotifier } from '../../watching/read-watched-card.ts';
import { createOnceMore, isDirectMessage, MaybePostedError } from '../client/direct-messages.ts';
import { outcomeOfCall } from '../client/errors.ts';
import type { People } from '../client/people.ts';
import type { SlackClient, SlackClients } from '../client/slack-client.ts';
import { accessDenial } from '../surface/access.ts';
import type { ChangeMessages, ChangeToTell } from './change-message.ts';

type Change = Parameters<WatchNotifier['tell']>[0];

/** More would make a message in a thread unreadable, and too long for Slack. */
const MENTIONS_MAX = 50;
/** Slack's limit for one call (docs.slack.dev/reference/methods/conversations.members). */
const MEMBERS_MAX = 999;

type TellDeps = {
  settings: WorkspaceSettingsStore;
  clients: SlackClients;
  people: People;
  watches: WatchStore;
  jobs: Pick<JobQueue, 'add'>;
  changeMessages: ChangeMessages;
  log: Log;
};

/**
 * Tells people about a change of a card, where they asked to hear of it: one message in a thread, or a direct message.
 *
 * People who may no longer use the app are no longer told, and people who aren't in the thread's channel are told in a
 * direct message. If Slack refuses to post in a thread, or another company would see it there, its watchers get direct
 * messages from then on.
 */
export function createTell(deps: TellDeps): WatchNotifier['tell'] {
  const { settings: store, clients, watches, changeMessages, log } = deps;
  const sendOnceMore = createOnceMore();

  return async (change) => {
    const { workspaceId, cardId, to, readAt } = change;
    const settings = await store.get(workspaceId);
    if (settings.muted) return;
    const client = await clients.of(workspaceId);
    const toTell = { ...change, client, settings };
    // In direct messages, people are told outside of threads.
    const thread = to.thread && !isDirectMessage(to.thread.channel) ? to.thread : undefined;
    const { here, directly } = await stillWatching(deps, change);
    await queueDirectly(deps, change, directly);
    const allowed = await stillAllowed(deps, toTell, here);
    const userIds = thread ? await mentionable(client, thread, allowed) : allowed;
    const away = allowed.filter((userId) => !userIds.includes(userId));
    await queueDirectly(deps, change, away);
    if (userIds.length === 0) return;
    const message = await changeMessages.of(change);

    async function send(): Promise<void> {
      if (!thread) {
        for (const userId of userIds) await changeMessages.sendTo(toTell, userId, message);
        return;
      }
      const { muted } = await store.ofChannels.get(workspaceId, thread.channel);
      // The thread goes on once the channel is no longer muted.
      if (muted) return queueDirectly(deps, change, userIds);
      const mentioned = { ...message, mentioned: userIds };
      if (await changeMessages.postIn(toTell, thread, mentioned)) return;
      // From now on, those who watch in that thread get direct messages.
      await queueDirectly(deps, change, userIds);
      await watches.leaveThread(change, thread);
    }
    try {
      await send();
    } catch (error) {
      const mayBePosted = error instanceof MaybePostedError;
      if (!mayBePosted || sendOnceMore(JSON.stringify([workspaceId, cardId, to, readAt])))
        throw error;
      log.warn({ err: error }, 'it is unknown whether a change of a card was announced');
    }
  };
}

/**
 * Who of those to tell still watches here, and who by now watches elsewhere and gets a direct message. Between a change
 * and its message, someone may have stopped, which ends the messages in a thread for all who watch there. The watch of
 * a card that is gone has ended, and that is the news.
 */
async function stillWatching(
  { watches }: TellDeps,
  { workspaceId, cardId, news, to }: Change,
): Promise<{ here: string[]; directly: string[] }> {
  if (news === 'gone') return { here: to.userIds, directly: [] };
  const watchers = await watches.watchersOf({ workspaceId, cardId });
  const watching = watchers.filter(({ userId }) => to.userIds.includes(userId));
  const isHere = ({ thread }: CardWatcher) => !to.thread || isSameThread(thread, to.thread);
  const idsOf = (some: CardWatcher[]) => some.map(({ userId }) => userId);
  return {
    here: idsOf(watching.filter(isHere)),
    directly: idsOf(watching.filter((watcher) => !isHere(watcher))),
  };
}

/** People who may not use the app any more stop watching. */
async function stillAllowed(
  { people, watches }: TellDeps,
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

/**
 * Of those to tell in a channel, who is mentioned there: its members, because Slack notifies nobody else, and not too
 * many. In a channel with more members than Slack lists at once, everyone counts as one.
 */
async function mentionable(
  client: SlackClient,
  { channel }: Thread,
  userIds: readonly string[],
): Promise<readonly string[]> {
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

/** Each in a job of its own, so that none is sent twice because another one failed. */
async function queueDirectly(
  { jobs }: TellDeps,
  { workspaceId, cardId, news, readAt, source }: Change,
  userIds: readonly string[],
): Promise<void> {
  for (const userId of userIds) {
    const to: Audience = { userIds: [userId] };
    await jobs.add(tellJob({ workspaceId, cardId, ...source }, { to, news, readAt }));
  }
}
