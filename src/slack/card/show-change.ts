import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { CardReader, CardReading } from '../../service/cache/card-reader.ts';
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
import type { CardViews } from './card-view.ts';
import { type Redraw, readDisplay } from './redraw.ts';
import type { Unfurls } from './send-unfurls.ts';

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
  conversations: Conversations;
  cardViews: CardViews;
  unfurls: Unfurls;
  redraw: Redraw;
  now: () => Date;
};

/**
 * Draws a watched card again where it is shown: its confirmation, previews, shared cards, and Home tabs. A message
 * that Slack refuses to change, or in which another company would see the card, is no longer kept current.
 */
export const createShow =
  (deps: ShowDeps): WatchNotifier['show'] =>
  (change) =>
    show(deps, change);

async function show(deps: ShowDeps, change: Parameters<WatchNotifier['show']>[0]): Promise<void> {
  const { watches, requests, now } = deps;
  const { workspaceId, cardId, message } = change;
  const key = { workspaceId, cardId };
  const watched = await watches.get(key);
  if (!watched) return;
  const { changedAt, requestId } = watched;
  // If the card has changed again, draw a version at least that new, which another process may have read.
  const isLast = change.revision === watched.revision || change.readAt > changedAt;
  const reading = await readCard(deps, key, isLast ? change.readAt : changedAt);
  if (!reading) return;
  const client = await deps.clients.of(workspaceId);
  const request = requestId ? await requests.get(workspaceId, requestId) : undefined;
  if (request?.message && request.state === 'created' && !message) {
    deps.homes.requestChanged(request);
    await deps.confirmations.drawAgain(client, request, reading.card);
  }
  const messages = (await watches.messagesOf(key, MESSAGES_MAX)).filter(
    (one) => !isSameThread(one, request?.message) && (!message || isSameThread(one, message)),
  );
  if (messages.length > 0) await drawMessages(deps, client, key, reading, messages);
  const after = await watches.get(key);
  // Another process may have drawn a newer version meanwhile, and this one may have been drawn over it.
  if (after && after.changedAt > changedAt) {
    throw new RetryLaterError(new Date(now().getTime() + DRAWN_EVERY_MS));
  }
}

async function drawMessages(
  { watches, conversations, cardViews, unfurls, redraw, now }: ShowDeps,
  client: SlackClient,
  key: CardKey,
  reading: Read,
  messages: readonly ShownMessage[],
): Promise<void> {
  const { workspaceId } = key;
  const facts = await cardViews.describe(
    { client, workspaceId, callClass: 'watch' },
    key.cardId,
    reading,
  );
  for (const message of messages) {
    // Posted links come first.
    if (unfurls.isLimited(workspaceId)) {
      throw new RetryLaterError(new Date(now().getTime() + RETRY_MS));
    }
    const shown = readDisplay(message.shown);
    const at = { workspaceId, channel: message.channel, ts: message.ts };
    const wasExternal = shown?.kind === 'preview' ? shown.isExternal : undefined;
    const isKept =
      shown &&
      !(await conversations.isSeenOutside(client, { ...at, wasExternal })) &&
      (await redraw(client, at, facts, shown));
    if (!isKept) await watches.removeMessage(key, message);
  }
}

async function readCard(
  { cards, now }: ShowDeps,
  { workspaceId, cardId }: CardKey,
  since: Date,
): Promise<Read | undefined> {
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

/** For a card that can't be read for now. */
export const retryLater = (cause: TransientError, now: Date): RetryLaterError =>
  new RetryLaterError(cause.retryAt ?? new Date(now.getTime() + RETRY_MS), { cause });
