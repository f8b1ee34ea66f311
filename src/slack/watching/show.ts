import type { WorkspaceSettings } from '../../installations/settings.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { DesignRequest } from '../../requests/request.ts';
import type { CardReading } from '../../service/cache/card-reader.ts';
import { isPassing } from '../../service/errors.ts';
import type { Card } from '../../service/operations/read-card.ts';
import {
  type CardKey,
  isSameThread,
  type ShownMessage,
  type Thread,
  type WatchedCard,
} from '../../store/watches.ts';
import type { WatchNotifier } from '../../watching/read-watched-card.ts';
import { DRAWN_EVERY_MS } from '../../watching/schedule.ts';
import { buildCardMessage } from '../card/card-blocks.ts';
import type { CardFacts, CardView } from '../card/card-view.ts';
import { describeCard } from '../card/describe-card.ts';
import { isExternal } from '../card/external-channel.ts';
import { sendUnfurls } from '../card/send-unfurls.ts';
import { sendSharedCard } from '../card/share.ts';
import { outcomeOfCall, slackErrorCode } from '../client/errors.ts';
import type { SlackClient, SlackClients } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import { currentConfirmation } from '../request-form/confirmation.ts';
import { updateWithCard, workObjectPart } from '../work-object/messages.ts';
import { linksOf, readShown, type Shown } from './shown.ts';

export type ShowDeps = Pick<
  SlackDeps,
  | 'watches'
  | 'requests'
  | 'settings'
  | 'people'
  | 'conversations'
  | 'unfurlLimit'
  | 'workObjects'
  | 'referenceLists'
  | 'cards'
  | 'cardLinks'
  | 'homes'
  | 'now'
  | 'log'
> & { clients: SlackClients };

type Read = Extract<CardReading, { card: unknown }>;

/** How many previews are kept current, the newest: Slack limits how often an app may change them. */
const MESSAGES_MAX = 20;
const RETRY_MS = 60_000;

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
    const reading = await readCard(deps, key, readSince(change, watched));
    if (!reading) return;
    const client = await deps.clients.of(workspaceId);
    const { card } = reading;
    const { requestId } = watched;
    const request = requestId ? await deps.requests.get(workspaceId, requestId) : undefined;
    if (request && !message) await showInConfirmation(deps, client, { request, card });
    const messages = (await deps.watches.messagesOf(key, MESSAGES_MAX)).filter(
      (one) => !isSameThread(one, request?.message) && (!message || isSameThread(one, message)),
    );
    await showInMessages(deps, client, { ...key, ...reading, messages });
    const after = await deps.watches.get(key);
    // What another process drew meanwhile may be newer than what was drawn over it.
    if (after && after.changedAt > watched.changedAt) {
      throw new RetryLaterError(new Date(deps.now().getTime() + DRAWN_EVERY_MS));
    }
  };
}

/** If it has changed again, perhaps only another process has read it since. */
const readSince = (
  { readAt, revision }: { readAt: Date; revision: number },
  watched: WatchedCard,
) => (revision === watched.revision || readAt > watched.changedAt ? readAt : watched.changedAt);

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
    if (!isPassing(error)) return undefined;
    const retryAt = error.retryAt ?? new Date(now().getTime() + RETRY_MS);
    throw new RetryLaterError(retryAt, { cause: error });
  }
}

async function showInConfirmation(
  deps: ShowDeps,
  client: SlackClient,
  { request, card }: { request: DesignRequest; card: Card },
): Promise<void> {
  const { workspaceId } = request;
  if (!request.message || request.state !== 'created') return;
  deps.homes.requestChanged(request);
  const settings = await deps.settings.get(workspaceId);
  if (await isSeenOutside(deps, client, settings, { workspaceId, ...request.message })) return;
  try {
    const shown = await currentConfirmation(deps, client, request, card);
    await updateWithCard(client, request.message, shown);
  } catch (error) {
    if (outcomeOfCall(error) !== 'refused') throw error;
    const code = slackErrorCode(error);
    deps.log.info({ request: request.reference, code }, 'Slack refused to update a confirmation');
  }
}

/** A message that can't be changed any more, or in which another company would see the card, is no longer kept current. */
async function showInMessages(
  deps: ShowDeps,
  client: SlackClient,
  { card, readAt, messages, ...key }: CardKey & Read & { messages: ShownMessage[] },
): Promise<void> {
  const { workspaceId, cardId } = key;
  if (messages.length === 0) return;
  const settings = await deps.settings.get(workspaceId);
  const reader = { client, workspaceId, callClass: 'watch' as const };
  const described = await describeCard(deps, reader, { card, readAt });
  const view = { ...described, url: deps.cardLinks.urlOf(cardId) };
  for (const message of messages) {
    // Posted links come first.
    if (deps.unfurlLimit.isLimited(workspaceId)) {
      throw new RetryLaterError(new Date(deps.now().getTime() + RETRY_MS));
    }
    const shown = readShown(message.shown);
    const isKept =
      shown !== undefined &&
      !(await isSeenOutside(deps, client, settings, { workspaceId, ...shown, ...message })) &&
      (await showInMessage(deps, client, { workspaceId, settings, view, message, shown }));
    if (!isKept) await deps.watches.removeMessage(key, message);
  }
}

/** @returns false if Slack refuses to change the message */
async function showInMessage(
  deps: ShowDeps,
  client: SlackClient,
  {
    workspaceId,
    settings,
    view,
    message: { channel, ts },
    shown,
  }: {
    workspaceId: WorkspaceId;
    settings: WorkspaceSettings;
    view: CardFacts & { url: string };
    message: ShownMessage;
    shown: Shown;
  },
): Promise<boolean> {
  const target = { channel, ts };
  if (shown.kind === 'preview') {
    const links = linksOf(view, shown);
    return sendUnfurls(deps, client, { workspaceId, settings, target, links });
  }
  const small = { ...view, detail: 'small' as const };
  try {
    if (shown.kind === 'own') await showInOwn(deps, client, { workspaceId, view: small, target });
    else {
      const shared = { workspaceId, view: small, by: shown.by };
      await sendSharedCard(deps, shared, (message) => updateWithCard(client, target, message));
    }
    return true;
  } catch (error) {
    if (outcomeOfCall(error) !== 'refused') throw error;
    return false;
  }
}

/** Without the Work Object, its message can't be told from any other. */
async function showInOwn(
  deps: ShowDeps,
  client: SlackClient,
  { workspaceId, view, target }: { workspaceId: WorkspaceId; view: CardView; target: Thread },
): Promise<void> {
  const workObject = await workObjectPart(deps, { workspaceId, view, blocks: undefined });
  if (workObject) await updateWithCard(client, target, { ...buildCardMessage(view), workObject });
}

/** Whether another company would see the card, which no admin allows. */
async function isSeenOutside(
  deps: ShowDeps,
  client: SlackClient,
  { shareExternally }: WorkspaceSettings,
  at: { workspaceId: WorkspaceId; channel: string; isExternal?: boolean | undefined },
): Promise<boolean> {
  if (shareExternally) return false;
  return (await isExternal(deps, client, { ...at, wasExternal: at.isExternal })) === true;
}
