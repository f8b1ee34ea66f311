import type { EntityMetadata, ExternalRef } from '@slack/types';
import type { WorkspaceSettings } from '../../installations/settings.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { DesignApiError } from '../../service/errors.ts';
import { NotConnectedError } from '../../service/service-access.ts';
import type { CardFacts } from '../card/card-view.ts';
import { type DescribeDeps, describeCard } from '../card/describe-card.ts';
import { imageUrlOf } from '../card/pictures.ts';
import type { SlackDeps } from '../deps.ts';
import { type Actor, checkAccess, checkCachedAccess } from '../listener/access.ts';
import { inTime, reportUnexpected } from '../listener/delivery.ts';
import { type DetailsError, detailsError, unexpectedError } from './details-error.ts';
import { buildDetails } from './entity.ts';

export type DetailsDeps = DescribeDeps &
  Pick<SlackDeps, 'cards' | 'cardLinks' | 'workObjects' | 'settings' | 'adminToAsk' | 'log'>;

/** What the pane shows, as `entity.presentDetails` takes it. */
export type Details =
  | {
      metadata: EntityMetadata;
      /** The same if Slack can't fetch its pictures; undefined if it has none. */
      withoutPictures?: EntityMetadata | undefined;
    }
  | { error: DetailsError };

export type DetailsRequest = {
  /** Undefined if the URL isn't a card's. */
  cardId: string | undefined;
  /** How Slack named it; the answer must name it in the same way. */
  asked: { url: string; reference: ExternalRef | undefined };
  /** Whether people from another company see the conversation. */
  isExternal: boolean;
};

/**
 * What a person sees in the pane: the card, read again now, or why not. Never rejects, and takes at most two seconds,
 * because Slack doesn't say for how long its trigger is valid; those of other surfaces are for three.
 */
export async function detailsFor(
  deps: DetailsDeps,
  actor: Actor,
  request: DetailsRequest,
): Promise<Details> {
  const details = readDetails(deps, actor, request).catch((error: unknown): Details => {
    const text = reportUnexpected(deps.log, error, 'could not show the details of a card');
    return unexpectedError(text, request);
  });
  const inTimeOrNot = await inTime<Details | undefined>(details, undefined);
  return inTimeOrNot ?? lateDetails(deps, actor, request);
}

async function readDetails(
  deps: DetailsDeps,
  actor: Actor,
  request: DetailsRequest,
): Promise<Details> {
  const { cardId } = request;
  const { workspaceId, userId, client } = actor;
  const checked = await checkAccess(deps, actor, 'users');
  if ('denied' in checked) return detailsError(checked.denied, request);
  const settings = await deps.settings.get(workspaceId);
  const refusal = whyNot(request, settings);
  if (cardId === undefined || refusal) return detailsError(refusal ?? 'notACard', request);
  try {
    const reading = await deps.cards.refresh(workspaceId, cardId);
    if ('unreadable' in reading) return detailsError(reading.unreadable, request);
    const facts = await describeCard(deps, { ...actor, callClass: 'person' }, reading);
    return entityFor(deps, { workspaceId, settings }, request, { ...reading, facts, cardId });
  } catch (error) {
    if (error instanceof NotConnectedError || isUnauthorized(error)) {
      const reason = error instanceof NotConnectedError ? error.reason : 'key_rejected';
      const admin = await deps.adminToAsk(client, workspaceId, userId);
      return detailsError(reason, request, { admin });
    }
    if (!(error instanceof DesignApiError)) throw error;
    return detailsError(error.code, request);
  }
}

const isUnauthorized = (error: unknown) =>
  error instanceof DesignApiError && error.code === 'unauthorized';

function whyNot({ isExternal, cardId }: DetailsRequest, { shareExternally }: WorkspaceSettings) {
  if (isExternal && !shareExternally) return 'external';
  return cardId === undefined ? 'notACard' : undefined;
}

/** While the service is slow: the card as it was read before. The read goes on and fills the cache. */
async function lateDetails(
  deps: DetailsDeps,
  actor: Actor,
  request: DetailsRequest,
): Promise<Details> {
  const { cardId } = request;
  const slow = detailsError('slow', request);
  try {
    const checked = await checkCachedAccess(deps, actor, 'users', 'recent');
    if (!checked || 'denied' in checked || cardId === undefined) return slow;
    const { workspaceId } = actor;
    const settings = await deps.settings.get(workspaceId);
    if (whyNot(request, settings)) return slow;
    const known = await deps.cards.peek(workspaceId, cardId);
    if (!known || 'unreadable' in known) return slow;
    const { card } = known;
    const names = { brandName: card.brand?.name, typeName: card.requestType?.name };
    const facts = { card, ...names, shownAt: deps.now() };
    const late = { ...known, trouble: slowTrouble(), facts, cardId };
    return entityFor(deps, { workspaceId, settings }, request, late);
  } catch (error) {
    deps.log.warn({ err: error }, 'could not show what is known of a card');
    return slow;
  }
}

const slowTrouble = () =>
  new DesignApiError({ code: 'timed_out', operation: 'getCard', message: 'takes too long' });

function entityFor(
  deps: DetailsDeps,
  { workspaceId, settings }: { workspaceId: WorkspaceId; settings: WorkspaceSettings },
  { asked, isExternal }: DetailsRequest,
  reading: {
    facts: CardFacts;
    readAt: Date;
    cardId: string;
    trouble?: DesignApiError | undefined;
  },
): Details {
  const { facts, readAt, cardId, trouble } = reading;
  const view = {
    ...facts,
    card: { ...facts.card, id: cardId },
    url: deps.cardLinks.urlOf(cardId),
    detail: 'small' as const,
    isExternal,
    ...(trouble ? { trouble, asOf: readAt } : {}),
  };
  const galleryUrl = deps.workObjects.galleryUrl(settings, { workspaceId, cardId });
  const build = (withPicture: boolean) => {
    const metadata = buildDetails({ ...view, withPicture }, galleryUrl);
    const { url, reference: external_ref = metadata.external_ref } = asked;
    return { ...metadata, url, external_ref };
  };
  const hasPictures =
    galleryUrl === undefined && facts.card.files.some((file) => imageUrlOf(file) !== undefined);
  return { metadata: build(true), withoutPictures: hasPictures ? build(false) : undefined };
}
