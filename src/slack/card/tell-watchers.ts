import { LRUCache } from 'lru-cache';
import { atMost } from '../../bounds.ts';
import type {
  ChannelSettingsStore,
  WorkspaceSettings,
  WorkspaceSettingsStore,
} from '../../installations/settings.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import type { Log } from '../../ops/logging.ts';
import type { CardReader } from '../../service/cache/card-reader.ts';
import type { CardLinks } from '../../service/card-links.ts';
import { isTransient } from '../../service/errors.ts';
import {
  type CardWatcher,
  isSameThread,
  type Thread,
  type WatchStore,
} from '../../store/watches.ts';
import { type Audience, tellJob } from '../../watching/jobs.ts';
import type { WatchNotifier } from '../../watching/read-watched-card.ts';
import type { Conversations } from '../client/conversations.ts';
import { type DirectMessages, isDirectMessage } from '../client/direct-messages.ts';
import { outcomeOfCall, slackErrorCode } from '../client/errors.ts';
import type { People } from '../client/people.ts';
import { MaybePostedError, postMessage } from '../client/post-message.ts';
import type { SlackClient, SlackClients } from '../client/slack-client.ts';
import { accessDenial } from '../surface/access.ts';
import { withPicturesIfAccepted } from './card-blocks.ts';
import { buildChangeMessage, type ChangeMessage, showsPictures } from './change-message.ts';
import { retryLater } from './show-change.ts';

type Change = Parameters<WatchNotifier['tell']>[0];
type ChangeToTell = Change & { client: SlackClient; settings: WorkspaceSettings };

const MAX_REMEMBERED = 10_000;
/** After this time, a change is announced without the card's title and files, in ms. */
const TELL_INCOMPLETE_AFTER_MS = 60 * 60_000;
/** More would make a message in a thread unreadable, and too long for Slack. */
const MENTIONS_MAX = 50;
/** Slack's limit for one call (docs.slack.dev/reference/methods/conversations.members). */
const MEMBERS_MAX = 999;

type MessagesDeps = {
  cards: CardReader;
  cardLinks: CardLinks;
  conversations: Conversations;
  directMessages: DirectMessages;
  now: () => Date;
  log: Log;
};

type TellDeps = {
  settings: WorkspaceSettingsStore;
  channelSettings: ChannelSettingsStore;
  clients: SlackClients;
  people: People;
  watches: WatchStore;
  jobs: Pick<JobQueue, 'add'>;
  messages: MessagesDeps;
};

/**
 * Tells people about a change of a card, where they asked to hear of it: one message in a thread, or a direct message.
 *
 * People who may no longer use the app are no longer told, and people who aren't in the thread's channel are told in a
 * direct message. If Slack refuses to post in a thread, or another company would see it there, its watchers get direct
 * messages from then on.
 */
export function createTell(deps: TellDeps): WatchNotifier['tell'] {
  const repeated = new LRUCache<string, true>(atMost(MAX_REMEMBERED));

  /** A message that may have been posted is sent once more: a duplicate is better than silence. */
  async function onceMore(identity: string, send: () => Promise<unknown>): Promise<void> {
    try {
      await send();
    } catch (error) {
      if (!(error instanceof MaybePostedError)) throw error;
      if (!repeated.has(identity)) {
        repeated.set(identity, true);
        throw error;
      }
      deps.messages.log.warn(
        { err: error },
        'could not tell whether a change of a card was announced',
      );
    }
  }

  return async (change) => {
    const settings = await deps.settings.get(change.workspaceId);
    if (settings.muted) return;
    const client = await deps.clients.of(change.workspaceId);
    const toTell = { ...change, client, settings };
    // In direct messages, people are told outside of threads.
    const thread =
      change.to.thread && !isDirectMessage(change.to.thread.channel) ? change.to.thread : undefined;
    const { here, directly } = await stillWatching(deps, change);
    await queueDirectly(deps, change, directly);
    const allowed = await stillAllowed(deps, toTell, here);
    const userIds = thread ? await mentionable(client, thread, allowed) : allowed;
    const away = allowed.filter((userId) => !userIds.includes(userId));
    await queueDirectly(deps, change, away);
    if (userIds.length === 0) return;
    const message = await messageFor(deps.messages, toTell);
    const identity = JSON.stringify([change.workspaceId, change.cardId, change.to, change.readAt]);
    await onceMore(identity, async () => {
      if (!thread) {
        for (const userId of userIds) await tellPerson(deps.messages, toTell, { userId, message });
        return;
      }
      const { muted } = await deps.channelSettings.get(change.workspaceId, thread.channel);
      // The thread continues once that is undone.
      if (muted) return queueDirectly(deps, change, userIds);
      const mentioned = { ...message, mentioned: userIds };
      if (await postInThread(deps.messages, toTell, thread, mentioned)) return;
      // From now on, those who watch in that thread get direct messages.
      await queueDirectly(deps, change, userIds);
      await deps.watches.leaveThread(change, thread);
    });
  };
}

/**
 * Of those to tell, who still wants to know. Between a change and its message, someone may have stopped, which ends the
 * messages in a thread for all who watch there. The watch of a card that is gone has ended, and that is the news.
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
    // Then posting there says what is wrong.
    return userIds.slice(0, MENTIONS_MAX);
  }
}

async function messageFor(deps: MessagesDeps, change: ChangeToTell): Promise<ChangeMessage> {
  const { workspaceId, cardId, news, readAt, isFirst, to } = change;
  const asked = { class: 'background', since: readAt } as const;
  const reading = await deps.cards.read(workspaceId, cardId, asked).catch((error: unknown) => {
    const waitedMs = deps.now().getTime() - readAt.getTime();
    if (!isTransient(error) || news === 'gone' || waitedMs > TELL_INCOMPLETE_AFTER_MS)
      return undefined;
    throw retryLater(error, deps.now());
  });
  const card = reading && 'card' in reading ? reading.card : undefined;
  return {
    cardId,
    news,
    card,
    url: deps.cardLinks.urlIfPossible(cardId),
    now: deps.now(),
    mentioned: [],
    explainsReplies: isFirst === true && to.thread !== undefined,
  };
}

/** @returns false if it can't be posted there, now or later */
async function postInThread(
  deps: MessagesDeps,
  { client, workspaceId, settings }: ChangeToTell,
  { channel, ts }: Thread,
  message: ChangeMessage,
): Promise<boolean> {
  try {
    const { isExternal } = await deps.conversations.describe(client, workspaceId, channel);
    if (isExternal && !settings.shareExternally) return false;
    await withPicturesIfAccepted(showsPictures(message), (withPictures) =>
      postMessage(client, channel, buildChangeMessage({ ...message, withPictures }), ts),
    );
    return true;
  } catch (error) {
    if (error instanceof MaybePostedError || outcomeOfCall(error) !== 'refused') throw error;
    const code = slackErrorCode(error);
    deps.log.info({ workspace: workspaceId, code }, 'Slack refused to post a change of a card');
    return false;
  }
}

/** First with pictures. If Slack can't fetch those, or refuses direct messages, the fallback has none. */
async function tellPerson(
  { directMessages }: MessagesDeps,
  { client, workspaceId }: ChangeToTell,
  { userId, message }: { userId: string; message: ChangeMessage },
): Promise<void> {
  if (showsPictures(message)) {
    try {
      await postMessage(client, userId, buildChangeMessage(message));
      return;
    } catch (error) {
      if (error instanceof MaybePostedError || outcomeOfCall(error) !== 'refused') throw error;
    }
  }
  const plain = buildChangeMessage({ ...message, withPictures: false });
  await directMessages.send(client, { workspaceId, userId }, plain);
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
