import { RetryLaterError } from '../../jobs/retry-later.ts';
import { isPassing } from '../../service/errors.ts';
import type { Card } from '../../service/operations/schemas.ts';
import type { CardKey } from '../../store/watches.ts';
import type { WatchNotifier } from '../../watching/job-handlers.ts';
import { outcomeOfCall, slackErrorCode } from '../client/errors.ts';
import type { SlackClient, SlackClients } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import { buildConfirmation, cardUrlOf } from '../request-form/request-messages.ts';

export type ShowDeps = Pick<
  SlackDeps,
  'watches' | 'requests' | 'cards' | 'cardLinks' | 'homes' | 'now' | 'log'
> & { clients: SlackClients };

const RETRY_MS = 60_000;

/**
 * Draws a watched card again where it is shown: its confirmation, previews, shared cards, and Home tabs. A message
 * that Slack refuses to change is forgotten.
 */
export function createShow(deps: ShowDeps): WatchNotifier['show'] {
  return async ({ workspaceId, cardId, readAt }) => {
    const key = { workspaceId, cardId };
    const watched = await deps.watches.get(key);
    if (!watched) return;
    const card = await readCard(deps, key, readAt);
    if (!card) return;
    const client = await deps.clients.of(workspaceId);
    if (watched.requestId)
      await showInConfirmation(deps, client, { ...key, card, requestId: watched.requestId });
  };
}

async function readCard(
  { cards, now }: ShowDeps,
  { workspaceId, cardId }: CardKey,
  readAt: Date,
): Promise<Card | undefined> {
  const asked = { class: 'watch', since: readAt } as const;
  const reading = await cards.read(workspaceId, cardId, asked).catch((error: unknown) => {
    if (!isPassing(error)) return undefined;
    const retryAt = error.retryAt ?? new Date(now().getTime() + RETRY_MS);
    throw new RetryLaterError(retryAt, { cause: error });
  });
  return reading && 'card' in reading ? reading.card : undefined;
}

async function showInConfirmation(
  deps: ShowDeps,
  client: SlackClient,
  { workspaceId, requestId, card }: CardKey & { requestId: string; card: Card },
): Promise<void> {
  const request = await deps.requests.get(workspaceId, requestId);
  if (!request?.message || request.state !== 'created') return;
  deps.homes.requestChanged(request);
  const { dashboardUrl } = deps.cardLinks;
  const message = buildConfirmation({
    ...{ request, dashboardUrl, status: card.status?.name },
    cardUrl: cardUrlOf(deps.cardLinks, request),
  });
  try {
    await client.chat.update({ ...request.message, ...message });
  } catch (error) {
    if (outcomeOfCall(error) !== 'refused') throw error;
    const code = slackErrorCode(error);
    deps.log.info({ request: request.reference, code }, 'Slack refused to update a confirmation');
  }
}
