import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { CardReader } from '../../service/cache/card-reader.ts';
import { isTransient, type TransientError } from '../../service/errors.ts';
import type { RequestStore } from '../../store/requests.ts';
import {
  type CardKey,
  isSameThread,
  type ShownMessage,
  type WatchStore,
} from '../../store/watches.ts';
import type { WatchNotifier } from '../../watching/read-watched-card.ts';
import { DRAWN_EVERY_MS } from '../../watching/schedule.ts';
import type { Conversations } from '../client/conversations.ts';
import type { SlackClient, SlackClients } from '../client/slack-client.ts';
import type { Homes } from '../home/homes.ts';
import type { Confirmations } from '../request-form/confirmation.ts';
import type { CardMessages } from './card-messages.ts';
import type { CardViews, ReadCard } from './card-view.ts';
import { readDisplay } from './menu.ts';

/** How many messages are kept current, the newest ones: Slack limits how often an app may change them. */
const MESSAGES_MAX = 20;
const RETRY_MS = 60_000;

/**
 * Draws a watched card again where it is shown: its confirmation, previews, shared cards, and Home tabs. A message
 * that Slack refuses to change, or in which another company would see the card, is no longer kept current.
 */
export function createCardRedrawing(deps: {
  watches: WatchStore;
  requests: Pick<RequestStore, 'get'>;
  cards: CardReader;
  clients: SlackClients;
  homes: Homes;
  confirmations: Confirmations;
  conversations: Conversations;
  cardViews: CardViews;
  cardMessages: CardMessages;
  now: () => Date;
}): WatchNotifier['show'] {
  const { watches, requests, cards, clients, homes, confirmations, conversations } = deps;
  const { cardViews, cardMessages, now } = deps;
  const inMs = (ms: number) => new Date(now().getTime() + ms);

  /** @returns undefined if the card can't be read */
  async function readCard({ workspaceId, cardId }: CardKey, since: Date) {
    try {
      const reading = await cards.read(workspaceId, cardId, { class: 'watch', since });
      if ('unreadable' in reading) return undefined;
      if (reading.trouble) throw reading.trouble;
      return reading;
    } catch (error) {
      if (!isTransient(error)) return undefined;
      throw retryLater(error, now());
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

  return async ({ workspaceId, cardId, message, revision, readAt }) => {
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
      await confirmations.drawAgain(client, request, reading.card);
    }
    const messages = (await watches.messagesOf(key, MESSAGES_MAX)).filter(
      (one) => !isSameThread(one, request?.message) && (!message || isSameThread(one, message)),
    );
    await drawMessages(client, key, reading, messages);
    const after = await watches.get(key);
    // Another process may have drawn a newer version meanwhile, and this one may have been drawn over it.
    if (after && after.changedAt > changedAt) throw new RetryLaterError(inMs(DRAWN_EVERY_MS));
  };
}

/** For a card that can't be read for now. */
export const retryLater = (cause: TransientError, now: Date): RetryLaterError =>
  new RetryLaterError(cause.retryAt ?? new Date(now.getTime() + RETRY_MS), { cause });
