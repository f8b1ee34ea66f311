import type { Cards } from '../../design-service.ts';
import type { WorkspaceSettings, WorkspaceSettingsStore } from '../../installations/settings.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import type { Log } from '../../ops/logging.ts';
import { isTransient } from '../../service/errors.ts';
import {
  type CardWatcher,
  isSameThread,
  type Thread,
  type WatchStore,
} from '../../store/watches.ts';
import { tellJob } from '../../watching/begin-watching.ts';
import type { WatchNotifier } from '../../watching/read-watched-card.ts';
import type { Conversations } from '../client/conversations.ts';
import {
  type DirectMessages,
  isDirectMessage,
  MaybePostedError,
  postMessage,
} from '../client/direct-messages.ts';
import { outcomeOfCall, slackErrorCode } from '../client/errors.ts';
import type { People } from '../client/people.ts';
import type { SlackClient, SlackClients } from '../client/slack-client.ts';
import { accessDenial } from '../surface/access.ts';
import { withPicturesIfAccepted } from './card-blocks.ts';
import { buildChangeMessage, type ChangeMessage, picturesOf } from './change-message.ts';
import { retryLater } from './show-change.ts';

/** More would make a message in a thread unreadable, and too long for Slack. */
const MENTIONS_MAX = 50;
/** Slack's limit for one call (docs.slack.dev/reference/methods/conversations.members). */
const MEMBERS_MAX = 999;

/** After this time, a change is announced without the card's title and files, in ms. */
const TELL_INCOMPLETE_AFTER_MS = 60 * 60_000;

type TellDeps = {
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
};

type Change = Parameters<WatchNotifier['tell']>[0];
type ChangeToTell = Change & { client: SlackClient; settings: WorkspaceSettings };

/**
 * Tells people about a change of a card, where they asked to hear of it: one message in a thread, or a direct message.
 *
 * People who may no longer use the app are no longer told, and people who aren't in the thread's channel are told in a
 * direct message. If Slack refuses to post in a thread, or another company would see it there, its watchers get direct
 * messages from then on.
 */
export function createTell(deps: TellDeps): WatchNotifier['tell'] {
  return async (change) => {
    const { workspaceId, cardId, to, readAt } = change;
    const settings = await deps.settings.get(workspaceId);
    if (settings.muted) return;
    const client = await deps.clients.of(workspaceId);
    try {
      await tell(deps, { ...change, client, settings });
    } catch (error) {
      const mayBePosted = error instanceof MaybePostedError;
      if (
        !mayBePosted ||
        deps.directMessages.mayRepeat(JSON.stringify([workspaceId, cardId, to, readAt]))
      )
        throw error;
      deps.log.warn({ err: error }, 'it is unknown whether a change of a card was announced');
    }
  };
}

async function tell(deps: TellDeps, change: ChangeToTell): Promise<void> {
  const { client, to } = change;
  // In direct messages, people are told outside of threads.
  const thread = to.thread && !isDirectMessage(to.thread.channel) ? to.thread : undefined;
  const { here, directly } = await stillWatching(deps, change);
  await queueDirectly(deps, change, directly);
  const allowed = await stillAllowed(deps, change, here);
  const userIds = thread ? await mentionable(client, thread, allowed) : allowed;
  const away = allowed.filter((userId) => !userIds.includes(userId));
  await queueDirectly(deps, change, away);
  if (userIds.length === 0) return;
  const message = await messageAbout(deps, change);
  if (thread) return tellInThread(deps, change, thread, { ...message, mentioned: userIds });
  for (const userId of userIds) await tellDirectly(deps, change, userId, message);
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
    const to = { userIds: [userId] };
    await jobs.add(tellJob({ workspaceId, cardId, ...source }, { to, news, readAt }));
  }
}

async function messageAbout(
  { cards, now }: TellDeps,
  { workspaceId, cardId, news, readAt, isFirst, to }: Change,
): Promise<ChangeMessage> {
  const asked = { class: 'background', since: readAt } as const;
  const reading = await cards.read(workspaceId, cardId, asked).catch((error: unknown) => {
    const waitedMs = now().getTime() - readAt.getTime();
    if (!isTransient(error) || news === 'gone' || waitedMs > TELL_INCOMPLETE_AFTER_MS)
      return undefined;
    throw retryLater(error, now());
  });
  return {
    cardId,
    news,
    card: reading && 'card' in reading ? reading.card : undefined,
    url: cards.urlIfPossible(cardId),
    now: now(),
    mentioned: [],
    explainsReplies: isFirst === true && to.thread !== undefined,
  };
}

async function tellInThread(
  deps: TellDeps,
  change: ChangeToTell,
  thread: Thread,
  message: ChangeMessage,
): Promise<void> {
  const { client, workspaceId, settings } = change;
  const { channel, ts } = thread;
  const { muted } = await deps.settings.ofChannels.get(workspaceId, channel);
  // The thread goes on once the channel is no longer muted.
  if (muted) return queueDirectly(deps, change, message.mentioned);
  try {
    const { isExternal } = await deps.conversations.describe(client, workspaceId, channel);
    if (!isExternal || settings.shareExternally) {
      await withPicturesIfAccepted(picturesOf(message).length > 0, (withPictures) =>
        postMessage(client, channel, buildChangeMessage({ ...message, withPictures }), ts),
      );
      return;
    }
  } catch (error) {
    if (!isRefused(error)) throw error;
    const code = slackErrorCode(error);
    deps.log.info({ workspace: workspaceId, code }, 'Slack refused to post a change of a card');
  }
  // From now on, those who watch in that thread get direct messages.
  await queueDirectly(deps, change, message.mentioned);
  await deps.watches.leaveThread(change, thread);
}

/** First with pictures. If Slack can't fetch them or refuses direct messages, `directMessages` sends it without. */
async function tellDirectly(
  { directMessages }: TellDeps,
  { client, workspaceId }: ChangeToTell,
  userId: string,
  message: ChangeMessage,
): Promise<void> {
  if (picturesOf(message).length > 0) {
    try {
      await postMessage(client, userId, buildChangeMessage(message));
      return;
    } catch (error) {
      if (!isRefused(error)) throw error;
    }
  }
  const plain = buildChangeMessage({ ...message, withPictures: false });
  await directMessages.send(client, { workspaceId, userId }, plain);
}

const isRefused = (error: unknown) =>
  !(error instanceof MaybePostedError) && outcomeOfCall(error) === 'refused';
