import type { Cards } from '../../design-service.ts';
import type { WorkspaceSettings, WorkspaceSettingsStore } from '../../installations/settings.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { Log } from '../../ops/logging.ts';
import { isTransient, type TransientError } from '../../service/errors.ts';
import type { RequestStore } from '../../store/requests.ts';
import {
  type CardKey,
  isSameThread,
  type ShownMessage,
  type Thread,
  type WatchStore,
} from '../../store/watches.ts';
import { tellJob } from '../../watching/begin-watching.ts';
import type { WatchNotifier } from '../../watching/read-watched-card.ts';
import { DRAWN_EVERY_MS } from '../../watching/schedule.ts';
import type { Conversations } from '../client/conversations.ts';
import { type DirectMessages, isDirectMessage } from '../client/direct-messages.ts';
import { outcomeOfCall, slackErrorCode } from '../client/errors.ts';
import type { People } from '../client/people.ts';
import { MaybePostedError, postMessage } from '../client/post-message.ts';
import type { SlackClient, SlackClients } from '../client/slack-client.ts';
import type { Homes } from '../home/homes.ts';
import { accessDenial } from '../interaction/access.ts';
import type { Confirmations } from '../request-form/confirmation.ts';
import type { CardMessages } from './card-messages.ts';
import type { CardViews, ReadCard } from './card-view.ts';
import { buildChangeMessage, type ChangeMessage } from './change-message.ts';
import { readDisplay } from './menu.ts';

/** How many messages are kept current, the newest ones: Slack limits how often an app may change them. */
const MESSAGES_MAX = 20;
const RETRY_MS = 60_000;
/** More would make a message in a thread unreadable, and too long for Slack. */
const MENTIONS_MAX = 50;
/** Slack's limit for one call (docs.slack.dev/reference/methods/conversations.members). */
const MEMBERS_MAX = 999;

/** After this time, a change is announced without the card's title and files, in ms. */
const TELL_INCOMPLETE_AFTER_MS = 60 * 60_000;

type Change = Parameters<WatchNotifier['tell']>[0];
type ChangeToTell = Change & { client: SlackClient; settings: WorkspaceSettings };

export function createWatchNotifier(deps: {
  settings: WorkspaceSettingsStore;
  clients: SlackClients;
  people: People;
  requests: Pick<RequestStore, 'get'>;
  watches: WatchStore;
  jobs: Pick<JobQueue, 'add'>;
  cards: Cards;
  cardViews: CardViews;
  cardMessages: CardMessages;
  homes: Homes;
  confirmations: Confirmations;
  conversations: Conversations;
  directMessages: DirectMessages;
  now: () => Date;
  log: Log;
}): WatchNotifier {
  const { clients, people, requests, watches, jobs, cards, cardViews, cardMessages } = deps;
  const { homes, confirmations, conversations, directMessages, now, log } = deps;
  const inMs = (ms: number) => new Date(now().getTime() + ms);
  /** For a card that can't be read for now. */
  const retryLater = (cause: TransientError) =>
    new RetryLaterError(cause.retryAt ?? inMs(RETRY_MS), { cause });

  /** @returns undefined if the card can't be read */
  async function readCard({ workspaceId, cardId }: CardKey, since: Date) {
    try {
      const reading = await cards.read(workspaceId, cardId, { class: 'watch', since });
      if ('unreadable' in reading) return undefined;
      if (reading.readError) throw reading.readError;
      return reading;
    } catch (error) {
      if (!isTransient(error)) return undefined;
      throw retryLater(error);
    }
  }

  async function drawMessages(
    client: SlackClient,
    key: CardKey,
    reading: ReadCard,
    messages: readonly ShownMessage[],
  ): Promise<void> {
    if (messages.length === 0) return;
    const { workspaceId, cardId } = key;
    const facts = await cardViews.addNames({ client, workspaceId }, cardId, reading, 'watch');
    for (const message of messages) {
      // Posted links come first.
      if (cardMessages.isLimited(workspaceId)) throw new RetryLaterError(inMs(RETRY_MS));
      const shown = readDisplay(message.shown);
      const at = { workspaceId, channel: message.channel, ts: message.ts };
      const wasExternal = shown?.kind === 'preview' ? shown.isExternal : undefined;
      const isKept =
        shown &&
        !(await conversations.wouldLeakExternally(client, { ...at, wasExternal })) &&
        (await cardMessages.redraw(client, at, facts, shown));
      if (!isKept) await watches.removeMessage(key, message);
    }
  }

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

  async function stillAllowed(change: ChangeToTell, userIds: readonly string[]) {
    const { client, workspaceId, cardId, settings } = change;
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
  async function queueDirectly(change: Change, userIds: readonly string[]): Promise<void> {
    const { workspaceId, cardId, news, readAt, source } = change;
    for (const userId of userIds) {
      const to = { userIds: [userId] };
      await jobs.add(tellJob({ workspaceId, cardId, ...source }, { to, news, readAt }));
    }
  }

  async function messageAbout(change: Change, mentioned: readonly string[]) {
    const { workspaceId, cardId, news, readAt, isFirst, to } = change;
    const asked = { class: 'background', since: readAt } as const;
    const reading = await cards.read(workspaceId, cardId, asked).catch((error: unknown) => {
      const waitedMs = now().getTime() - readAt.getTime();
      if (!isTransient(error) || news === 'gone' || waitedMs > TELL_INCOMPLETE_AFTER_MS)
        return undefined;
      throw retryLater(error);
    });
    return {
      cardId,
      news,
      mentioned,
      now: now(),
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

  return {
    /** A message that Slack refuses to change, or where another company would see the card, is no longer kept current. */
    async show({ workspaceId, cardId, message, revision, readAt }) {
      const key = { workspaceId, cardId };
      const watched = await watches.get(key);
      if (!watched) return;
      const { changedAt, requestId } = watched;
      // If the card has changed again, draw a version at least that new, which another process may have read.
      const isLast = revision === watched.revision || readAt > changedAt;
      const reading = await readCard(key, isLast ? readAt : changedAt);
      if (!reading) return;
      const client = await clients.of(workspaceId);
      const request = requestId ? await requests.get(workspaceId, requestId) : undefined;
      if (request?.message && request.state === 'created' && !message) {
        homes.requestChanged(request);
        await confirmations.drawAgain(client, request, reading);
      }
      const messages = (await watches.messagesOf(key, MESSAGES_MAX)).filter(
        (one) => !isSameThread(one, request?.message) && (!message || isSameThread(one, message)),
      );
      await drawMessages(client, key, reading, messages);
      const after = await watches.get(key);
      // Another process may have drawn a newer version meanwhile, and this one may have been drawn over it.
      if (after && after.changedAt > changedAt) throw new RetryLaterError(inMs(DRAWN_EVERY_MS));
    },

    /**
     * Drops people who may no longer use the app; people outside the thread's channel get a direct message. If Slack
     * refuses to post in a thread, or another company would see it there, its watchers get direct messages from then on.
     */
    async tell(change) {
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
    },
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
