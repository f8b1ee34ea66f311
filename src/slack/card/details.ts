import type { EntityActionButton, EntityMetadata, ExternalRef } from '@slack/types';
import type { EntityPresentDetailsArguments } from '@slack/web-api';
import type { Cards } from '../../design-service.ts';
import type { Log } from '../../ops/logging.ts';
import { typedCardId } from '../../references.ts';
import { DesignApiError } from '../../service/errors.ts';
import { NotConnectedError } from '../../service/service-access.ts';
import type { Conversations } from '../client/conversations.ts';
import { slackErrorCode } from '../client/errors.ts';
import type { AccessControl, Actor } from '../surface/access.ts';
import { connectOffer } from '../surface/connection.ts';
import type { PersonalEvent, Press } from '../surface/interactions.ts';
import { inTime, reportUnexpected } from '../surface/replies.ts';
import { accessibilityLabel } from '../text/blocks.ts';
import { unescapeEntities } from '../text/escape.ts';
import {
  DETAILS_ERRORS,
  DETAILS_TRY_AGAIN,
  DETAILS_UNEXPECTED,
  type DetailsProblem,
} from '../words/work-object.ts';
import { imageUrlOf } from './card-files.ts';
import type { CardFacts, CardViews } from './card-view.ts';
import { buildDetails, cardIdIn } from './entity.ts';
import { CARD_ACTIONS, type RefreshValue, writeRefreshValue } from './menu.ts';
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
  async open(opened: PersonalEvent<'entity_details_requested'>): Promise<void> {
    const { cards } = deps;
    const { event, is_ext_shared_channel } = opened.body;
    const cardId = cards.cardIdOf(unescapeEntities(event.entity_url));
    await showDetails(deps, opened, event.trigger_id, {
      // The reference is missing if it was opened from Slack's search.
      cardId: cardId ?? typedCardId(cardIdIn(event.external_ref) ?? '', cards),
      asked: { url: event.entity_url, reference: event.external_ref },
      isExternal: is_ext_shared_channel === true,
    });
  },

  /** Refresh in the pane. */
  async refresh(press: Press, { cardId, isExternal: wasExternal }: RefreshValue): Promise<void> {
    const { client, workspaceId, channelId: channel, entity } = press;
    const asked = entity ?? { url: deps.cards.urlOf(cardId), reference: undefined };
    const isAsPosted =
      channel === undefined || (await deps.conversations.mayBeSeenOutside(workspaceId));
    const isShared = isAsPosted
      ? wasExternal
      : await deps.conversations.isExternal(client, { workspaceId, channel, wasExternal });
    const isExternal = isShared === true;
    await showDetails(deps, press, press.triggerId, { cardId, asked, isExternal });
  },
});

/** The card, with its pictures or without, or what to show instead. */
type ShownDetails =
  | { metadata: (withPicture: boolean) => EntityMetadata; hasPicture: boolean }
  | { error: NonNullable<EntityPresentDetailsArguments['error']> };

async function showDetails(
  deps: DetailsDeps,
  actor: Actor,
  triggerId: string,
  request: DetailsRequest,
): Promise<void> {
  const { client, workspaceId } = actor;
  const details = await detailsFor(deps, actor, request);
  const present = (shown: Pick<EntityPresentDetailsArguments, 'metadata' | 'error'>) =>
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
      instead: () => present(errorWith(DETAILS_ERRORS.notShown, [])),
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
    return errorWith({ title: DETAILS_UNEXPECTED, text }, tryAgain(request));
  });
  const inTimeOrNot = await inTime<ShownDetails | undefined>(details, undefined);
  if (inTimeOrNot) return inTimeOrNot;
  const late = await cachedDetails(deps, actor, request).catch((error: unknown) =>
    deps.log.warn({ err: error }, 'could not show a card as it was last read'),
  );
  return late ?? problemDetails(deps, actor, 'timed_out', request);
}

async function readDetails(
  deps: DetailsDeps,
  actor: Actor,
  request: DetailsRequest,
): Promise<ShownDetails> {
  const { cardId } = request;
  const shownInstead = (problem: DetailsProblem) => problemDetails(deps, actor, problem, request);
  const refused = await refusal(deps, actor, request, await deps.access.check(actor, 'users'));
  if (refused) return shownInstead(refused);
  if (cardId === undefined) return shownInstead('notACard');
  try {
    const reading = await deps.cards.refresh(actor.workspaceId, cardId);
    if ('unreadable' in reading) return shownInstead(reading.unreadable);
    const reader = { ...actor, callClass: 'person' as const };
    const facts = await deps.cardViews.describe(reader, cardId, reading);
    const { trouble, readAt } = reading;
    return await detailsOf(
      deps,
      actor,
      request,
      trouble ? { ...facts, trouble, asOf: readAt } : facts,
    );
  } catch (error) {
    if (error instanceof NotConnectedError) return shownInstead(error.reason);
    if (!(error instanceof DesignApiError)) throw error;
    return shownInstead(error.code);
  }
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
  if (cardId === undefined) return undefined;
  const known = await deps.cards.load(actor.workspaceId, cardId);
  if (!known || 'unreadable' in known) return undefined;
  const message = 'takes too long';
  const trouble = new DesignApiError({ code: 'timed_out', operation: 'getCard', message });
  const facts = deps.cardViews.describeAtOnce(cardId, known);
  return detailsOf(deps, actor, request, { ...facts, trouble, asOf: known.readAt });
}

async function detailsOf(
  { workObjects }: DetailsDeps,
  { workspaceId }: Actor,
  { asked, isExternal }: DetailsRequest,
  facts: CardFacts,
): Promise<ShownDetails> {
  const { card } = facts;
  const view = { ...facts, detail: 'small' as const, isExternal };
  const galleryUrl = await workObjects.galleryUrl({ workspaceId, cardId: card.id });
  return {
    metadata(withPicture) {
      const built = buildDetails({ ...view, withPicture }, galleryUrl);
      const { url, reference: external_ref = built.external_ref } = asked;
      return { ...built, url, external_ref };
    },
    hasPicture: galleryUrl === undefined && card.files.some((file) => imageUrlOf(file)),
  };
}

async function problemDetails(
  { access }: DetailsDeps,
  actor: Actor,
  problem: DetailsProblem,
  request: DetailsRequest,
): Promise<ShownDetails> {
  const words = DETAILS_ERRORS[problem];
  if (words.help !== 'connect') return errorWith(words, words.help ? tryAgain(request) : []);
  const admin = await access.adminToAsk(actor);
  const { text, action_id = '', accessibility_label: label } = connectOffer(admin);
  const action = { text: text.text, action_id, ...(label ? { accessibility_label: label } : {}) };
  return errorWith(words, [action]);
}

/**
 * Slack has words of its own for `restricted`, `not_found`, `timeout`, and `internal_error`, which don't say what to do,
 * so all errors are custom. Only a partial view has buttons.
 */
function errorWith(
  { title, text }: { title: string; text: string },
  actions: EntityActionButton[],
) {
  const words = { custom_title: title, custom_message: text };
  return {
    error:
      actions.length > 0
        ? { status: 'custom_partial_view' as const, ...words, actions }
        : { status: 'custom' as const, ...words },
  };
}

/** None if the URL isn't a card's. */
function tryAgain({ cardId, isExternal }: DetailsRequest): EntityActionButton[] {
  if (cardId === undefined) return [];
  const value = writeRefreshValue({ cardId, detail: 'small', isExternal });
  const text = DETAILS_TRY_AGAIN;
  const label = accessibilityLabel(text, cardId);
  return [{ text, action_id: CARD_ACTIONS.refresh, value, accessibility_label: label }];
}
