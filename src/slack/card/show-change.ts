import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { CardReader, CardReading } from '../../service/cache/card-reader.ts';
import { isTransient, type TransientError } from '../../service/errors.ts';
import type { RequestStore } from '../../store/requests.ts';
import {
  type CardKey,
  isSameThread,
  type ShownMessage,
  type Thread,
  type WatchStore,
} from '../../store/watches.ts';
import type { WatchNotifier } from '../../watching/read-watched-card.ts';
import { DRAWN_EVERY_MS } from '../../watching/schedule.ts';
import type { Conversations } from '../client/conversations.ts';
import { outcomeOfCall } from '../client/errors.ts';
import type { SlackClient, SlackClients } from '../client/slack-client.ts';
import type { Homes } from '../home/homes.ts';
import type { Confirmations } from '../request-form/confirmation.ts';
import { buildCardMessage } from './card-blocks.ts';
import { type CardDisplay, linksOf, readDisplay } from './card-messages.ts';
import type { CardFacts, CardViews } from './card-view.ts';
import { sendSharedCard, updateWithCard } from './message-with-card.ts';
import type { Unfurls } from './send-unfurls.ts';
import type { WorkObjects } from './work-objects.ts';

type Read = Extract<CardReading, { card: unknown }>;

/** How many messages are kept current, the newest ones: Slack limits how often an app may change them. */
const MESSAGES_MAX = 20;
const RETRY_MS = 60_000;

type ShowDeps = {
  watches: WatchStore;
  requests: Pick<RequestStore, 'get'>;
  cards: CardReader;
  clients: SlackClients;
  homes: Homes;
  confirmations: Confirmations;
  redraw: ReturnType<typeof createRedraw>;
  now: () => Date;
};

/**
 * Draws a watched card again where it is shown: its confirmation, previews, shared cards, and Home tabs. A message
 * that Slack refuses to change is no longer kept current.
 */
export function createShow(deps: ShowDeps): WatchNotifier['show'] {
  return async (change) => {
    const { workspaceId, cardId, message } = change;
    const key = { workspaceId, cardId };
    const watched = await deps.watches.get(key);
    if (!watched) return;
    const { changedAt } = watched;
    // If the card has changed again, draw a version at least that new, which another process may have read.
    const isLast = change.revision === watched.revision || change.readAt > changedAt;
    const reading = await readCard(deps, key, isLast ? change.readAt : changedAt);
    if (!reading) return;
    const client = await deps.clients.of(workspaceId);
    const { card } = reading;
    const { requestId } = watched;
    const request = requestId ? await deps.requests.get(workspaceId, requestId) : undefined;
    if (request?.message && request.state === 'created' && !message) {
      deps.homes.requestChanged(request);
      await deps.confirmations.drawAgain(client, request, card);
    }
    const messages = (await deps.watches.messagesOf(key, MESSAGES_MAX)).filter(
      (one) => !isSameThread(one, request?.message) && (!message || isSameThread(one, message)),
    );
    await deps.redraw(client, { ...key, ...reading, messages });
    const after = await deps.watches.get(key);
    // Another process may have drawn a newer version meanwhile, and this one may have been drawn over it.
    if (after && after.changedAt > changedAt) {
      throw new RetryLaterError(new Date(deps.now().getTime() + DRAWN_EVERY_MS));
    }
  };
}

async function readCard(
  { cards, now }: ShowDeps,
  { workspaceId, cardId }: CardKey,
  since: Date,
): Promise<Read | undefined> {
  const asked = { class: 'watch', since } as const;
  try {
    const reading = await cards.read(workspaceId, cardId, asked);
    if ('unreadable' in reading) return undefined;
    if (reading.trouble) throw reading.trouble;
    return reading;
  } catch (error) {
    if (!isTransient(error)) return undefined;
    throw retryLater(error, now());
  }
}

/** For a card that can't be read for now. */
export const retryLater = (cause: TransientError, now: Date): RetryLaterError =>
  new RetryLaterError(cause.retryAt ?? new Date(now.getTime() + RETRY_MS), { cause });

/** Draws a watched card again in the messages that show it. */
export function createRedraw(deps: {
  watches: WatchStore;
  conversations: Conversations;
  cardViews: CardViews;
  unfurls: Unfurls;
  workObjects: WorkObjects;
  now: () => Date;
}) {
  const { watches, conversations, cardViews, unfurls, workObjects, now } = deps;

  /** @returns false if Slack refuses to change the message, or another company would see the card */
  async function draw(
    client: SlackClient,
    { workspaceId, channel, ts }: Thread & { workspaceId: WorkspaceId },
    view: CardFacts,
    shown: CardDisplay,
  ): Promise<boolean> {
    const target = { channel, ts };
    const wasExternal = shown.kind === 'preview' ? shown.isExternal : undefined;
    if (await conversations.isSeenOutside(client, { workspaceId, channel, wasExternal }))
      return false;
    if (shown.kind === 'preview') {
      return unfurls.send(client, { workspaceId, target, links: linksOf(view, shown) });
    }
    const small = { workspaceId, view: { ...view, detail: 'small' as const } };
    try {
      if (shown.kind === 'shared') {
        await sendSharedCard(workObjects, { ...small, by: shown.by }, (message) =>
          updateWithCard(client, target, message),
        );
        return true;
      }
      const workObject = await workObjects.part({ ...small, blocks: undefined });
      const message = buildCardMessage(small.view);
      // Without a Work Object, there is nothing to update: the rest of the message isn't known.
      if (workObject) await updateWithCard(client, target, { ...message, workObject });
      return true;
    } catch (error) {
      if (outcomeOfCall(error) !== 'refused') throw error;
      return false;
    }
  }

  return async (
    client: SlackClient,
    { card, readAt, messages, ...key }: CardKey & Read & { messages: ShownMessage[] },
  ): Promise<void> => {
    const { workspaceId, cardId } = key;
    if (messages.length === 0) return;
    const reader = { client, workspaceId, callClass: 'watch' as const };
    const view = await cardViews.describe(reader, cardId, { card, readAt });
    for (const message of messages) {
      // Posted links come first.
      if (unfurls.isLimited(workspaceId)) {
        throw new RetryLaterError(new Date(now().getTime() + RETRY_MS));
      }
      const shown = readDisplay(message.shown);
      const isKept = shown && (await draw(client, { workspaceId, ...message }, view, shown));
      if (!isKept) await watches.removeMessage(key, message);
    }
  };
}
