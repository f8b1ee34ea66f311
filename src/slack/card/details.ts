import type { EntityMetadata, ExternalRef } from '@slack/types';
import { z } from 'zod';
import type { Cards } from '../../design-service.ts';
import type { Log } from '../../ops/logging.ts';
import { typedCardId } from '../../references.ts';
import { DesignApiError } from '../../service/errors.ts';
import { NotConnectedError } from '../../service/service-access.ts';
import type { Conversations } from '../client/conversations.ts';
import { slackErrorCode } from '../client/errors.ts';
import { type AccessControl, type Actor, actorOf } from '../surface/access.ts';
import {
  type ActionArgs,
  type DetailsArgs,
  inTime,
  reportUnexpected,
  stringOf,
  workspaceOf,
} from '../surface/replies.ts';
import { unescapeEntities } from '../text/escape.ts';
import { imageUrlOf } from './card-files.ts';
import type { CardFacts, CardViews } from './card-view.ts';
import { type DetailsError, detailsError, unexpectedError } from './details-error.ts';
import { buildDetails, cardIdIn } from './entity.ts';
import type { RefreshValue } from './menu.ts';
import { sendWorkObject, type WorkObjects } from './work-objects.ts';

type DetailsRequest = {
  /** Undefined if the URL isn't a card's. */
  cardId: string | undefined;
  /** How Slack named it; the answer must name it in the same way. */
  asked: { url: string; reference: ExternalRef | undefined };
  /** Whether people from another company see the conversation. */
  isExternal: boolean;
};

type DetailsDeps = {
  access: AccessControl;
  conversations: Conversations;
  cards: Cards;
  cardViews: CardViews;
  workObjects: WorkObjects;
  log: Log;
};

export type Details = ReturnType<typeof createDetails>;

/** The pane with a card's details. */
export const createDetails = (deps: DetailsDeps) => ({
  /** Someone opened a card's details, or pressed the pane's own refresh button. Slack doesn't say which. */
  async open({ event, body, client, context }: DetailsArgs): Promise<void> {
    const { cards } = deps;
    const cardId = cards.cardIdOf(unescapeEntities(event.entity_url));
    await showDetails(
      deps,
      { client, workspaceId: workspaceOf(context), userId: event.user },
      event.trigger_id,
      {
        // The reference is missing if it was opened from Slack's search.
        cardId: cardId ?? typedCardId(cardIdIn(event.external_ref) ?? '', cards),
        asked: { url: event.entity_url, reference: event.external_ref },
        isExternal: body.is_ext_shared_channel === true,
      },
    );
  },

  /** Refresh in the pane. */
  async refresh(
    args: ActionArgs,
    { cardId, isExternal: wasExternal }: RefreshValue,
  ): Promise<void> {
    const { body, client } = args;
    const workspaceId = workspaceOf(args.context);
    const channel = stringOf(body.container.channel_id);
    const url = stringOf(body.container.entity_url) ?? deps.cards.urlOf(cardId);
    const isAsPosted =
      channel === undefined || (await deps.conversations.mayBeSeenOutside(workspaceId));
    const isShared = isAsPosted
      ? wasExternal
      : await deps.conversations.isExternal(client, { workspaceId, channel, wasExternal });
    await showDetails(deps, actorOf(args), body.trigger_id, {
      cardId,
      asked: { url, reference: referenceSchema.parse(body.container.external_ref) },
      isExternal: isShared === true,
    });
  },
});

/** Slack doesn't type the container of an action. */
const referenceSchema = z
  .object({ id: z.string(), type: z.string().exactOptional() })
  .optional()
  .catch(undefined);

/** The card, with its pictures or without, or what to show instead. */
type ShownDetails =
  | { metadata: (withPicture: boolean) => EntityMetadata; hasPicture: boolean }
  | { error: DetailsError };

async function showDetails(
  deps: DetailsDeps,
  actor: Actor,
  triggerId: string,
  request: DetailsRequest,
): Promise<void> {
  const { client, workspaceId } = actor;
  const details = await detailsFor(deps, actor, request);
  const present = (shown: { metadata: EntityMetadata } | { error: DetailsError }) =>
    client.entity.presentDetails({ trigger_id: triggerId, ...shown });
  try {
    if ('error' in details) return void (await present(details));
    await sendWorkObject({
      async send(withPicture) {
        await present({ metadata: details.metadata(withPicture) });
        // Whatever Slack warns of, it has shown the details.
        return { ok: true };
      },
      hasPicture: details.hasPicture,
      // If Slack doesn't accept the trigger again, it shows an error of its own, and the person can press again.
      instead: () => present(detailsError('notShown', undefined)),
      refused: (code) => deps.workObjects.refused(workspaceId, code),
    });
  } catch (error) {
    deps.log.warn(
      { workspace: workspaceId, code: slackErrorCode(error), err: error },
      'could not present the details of a card',
    );
  }
}

/**
 * What a person sees in the pane: the card, read again now, or why not. Never rejects, and takes at most two seconds,
 * because Slack doesn't say for how long its trigger is valid; those of modals are valid for three.
 */
async function detailsFor(
  deps: DetailsDeps,
  actor: Actor,
  request: DetailsRequest,
): Promise<ShownDetails> {
  const details = readDetails(deps, actor, request).catch((error: unknown): ShownDetails => {
    const text = reportUnexpected(deps.log, error, 'could not show the details of a card');
    return unexpectedError(text, request);
  });
  const inTimeOrNot = await inTime<ShownDetails | undefined>(details, undefined);
  if (inTimeOrNot) return inTimeOrNot;
  const late = await cachedDetails(deps, actor, request).catch((error: unknown) =>
    deps.log.warn({ err: error }, 'could not show a card as it was last read'),
  );
  return late ?? detailsError('slow', request);
}

/** @returns why someone may not see the card */
async function refusal(
  { conversations }: DetailsDeps,
  { workspaceId }: Actor,
  { isExternal }: DetailsRequest,
  checked: Awaited<ReturnType<AccessControl['check']>>,
) {
  if ('denied' in checked) return checked.denied;
  const isHidden = isExternal && !(await conversations.mayBeSeenOutside(workspaceId));
  return isHidden ? 'external' : undefined;
}

async function readDetails(
  deps: DetailsDeps,
  actor: Actor,
  request: DetailsRequest,
): Promise<ShownDetails> {
  const { cardId } = request;
  const { workspaceId, userId, client } = actor;
  const refused = await refusal(deps, actor, request, await deps.access.check(actor, 'users'));
  if (refused) return detailsError(refused, request);
  if (cardId === undefined) return detailsError('notACard', request);
  try {
    const reading = await deps.cards.refresh(workspaceId, cardId);
    if ('unreadable' in reading) return detailsError(reading.unreadable, request);
    const reader = { ...actor, callClass: 'person' as const };
    const facts = await deps.cardViews.describe(reader, cardId, reading);
    const { trouble, readAt } = reading;
    const shown = trouble ? { ...facts, trouble, asOf: readAt } : facts;
    return await detailsOf(deps, actor, { ...request, cardId }, shown);
  } catch (error) {
    const problem = problemOf(error);
    if (problem === undefined) throw error;
    if (problem !== 'key_rejected' && !(error instanceof NotConnectedError)) {
      return detailsError(problem, request);
    }
    const admin = await deps.access.adminToAsk(client, workspaceId, userId);
    return detailsError(problem, request, { admin });
  }
}

/** @returns undefined if it isn't about the service or its key */
function problemOf(error: unknown) {
  if (error instanceof NotConnectedError) return error.reason;
  if (!(error instanceof DesignApiError)) return undefined;
  return error.code === 'unauthorized' ? 'key_rejected' : error.code;
}

/**
 * While the service is slow: the card as it was read before, if this person may see it. The read goes on and fills the
 * cache.
 */
async function cachedDetails(
  deps: DetailsDeps,
  actor: Actor,
  request: DetailsRequest,
): Promise<ShownDetails | undefined> {
  const { cardId } = request;
  const checked = await deps.access.checkCached(actor, 'users', 'recent');
  if (!checked || (await refusal(deps, actor, request, checked))) return undefined;
  const known = cardId && (await deps.cards.load(actor.workspaceId, cardId));
  if (!cardId || !known || 'unreadable' in known) return undefined;
  const message = 'takes too long';
  const trouble = new DesignApiError({ code: 'timed_out', operation: 'getCard', message });
  const facts = deps.cardViews.describeAtOnce(cardId, known);
  const shown = { ...facts, trouble, asOf: known.readAt };
  return detailsOf(deps, actor, { ...request, cardId }, shown);
}

async function detailsOf(
  { workObjects }: DetailsDeps,
  { workspaceId }: Actor,
  { asked, isExternal, cardId }: DetailsRequest & { cardId: string },
  facts: CardFacts & { trouble?: DesignApiError | undefined },
): Promise<ShownDetails> {
  const card = { ...facts.card, id: cardId };
  const view = { ...facts, card, detail: 'small' as const, isExternal };
  const galleryUrl = await workObjects.galleryUrl({ workspaceId, cardId });
  return {
    metadata(withPicture) {
      const built = buildDetails({ ...view, withPicture }, galleryUrl);
      const { url, reference: external_ref = built.external_ref } = asked;
      return { ...built, url, external_ref };
    },
    hasPicture: galleryUrl === undefined && card.files.some((file) => imageUrlOf(file)),
  };
}
