import type { EntityActionButton, ExternalRef } from '@slack/types';
import type { EntityPresentDetailsArguments } from '@slack/web-api';
import type { Cards } from '../../design-service.ts';
import type { Log } from '../../ops/logging.ts';
import { typedCardId } from '../../references.ts';
import { DesignApiError } from '../../service/errors.ts';
import { NotConnectedError } from '../../service/service-access.ts';
import type { Conversations } from '../client/conversations.ts';
import { slackErrorCode } from '../client/errors.ts';
import { sendRichest, type Ways, withPicturesOrNot } from '../client/post-message.ts';
import type { AccessControl, Actor } from '../interaction/access.ts';
import { connectOrAskButton } from '../interaction/connection.ts';
import {
  inTime,
  type PersonalEvent,
  type Press,
  reportUnexpected,
} from '../interaction/interactions.ts';
import { accessibilityLabel } from '../text/blocks.ts';
import { unescapeEntities } from '../text/escape.ts';
import { NOTICES } from '../words/request-form.ts';
import { DETAILS_ERRORS, DETAILS_UNEXPECTED, type DetailsProblem } from '../words/work-object.ts';
import { imageUrlOf } from './card-files.ts';
import type { CardMessages } from './card-messages.ts';
import type { CardFacts, CardViews } from './card-view.ts';
import { buildDetails, cardIdIn } from './entity.ts';
import { CARD_ACTIONS, type RefreshValue, writeRefreshValue } from './menu.ts';

type DetailsRequest = {
  /** Undefined if the URL isn't a card's. */
  cardId: string | undefined;
  /** How Slack named it; the answer must name it in the same way. */
  asked: { url: string; reference: ExternalRef | undefined };
  /** Whether people from another company see the conversation. */
  isExternal: boolean;
};

type Shown = Pick<EntityPresentDetailsArguments, 'metadata' | 'error'>;

export type Details = ReturnType<typeof createDetails>;

export function createDetails(deps: {
  access: AccessControl;
  conversations: Conversations;
  cards: Cards;
  cardViews: CardViews;
  cardMessages: CardMessages;
  log: Log;
}) {
  const { access, conversations, cards, cardViews, cardMessages, log } = deps;

  /**
   * Shows a person the card, read again now, or why not. Never rejects, and reads for at most two seconds, because Slack
   * doesn't say for how long its trigger is valid; those of modals are valid for three.
   */
  async function present(actor: Actor, triggerId: string, request: DetailsRequest): Promise<void> {
    const { client, workspaceId } = actor;
    const { cardId, asked, isExternal } = request;

    function tryAgain(): EntityActionButton | undefined {
      if (cardId === undefined) return undefined;
      const text = NOTICES.tryAgain;
      const value = writeRefreshValue({ cardId, detail: 'small', isExternal });
      const accessibility_label = accessibilityLabel(text, cardId);
      return { text, action_id: CARD_ACTIONS.refresh, value, accessibility_label };
    }

    async function instead(problem: DetailsProblem): Promise<Ways<Shown>> {
      const { help, ...words } = DETAILS_ERRORS[problem];
      if (help !== 'connect') return errorWith(words, help && tryAgain());
      const offer = connectOrAskButton(await access.adminToAsk(actor));
      const { text, action_id = '', accessibility_label: label } = offer;
      const spoken = label ? { accessibility_label: label } : {};
      return errorWith(words, { text: text.text, action_id, ...spoken });
    }

    async function refusal(checked: Awaited<ReturnType<AccessControl['check']>>) {
      if ('denied' in checked) return checked.denied;
      const isHidden = isExternal && !(await conversations.allowsExternal(workspaceId));
      return isHidden ? 'external' : undefined;
    }

    async function show(facts: CardFacts): Promise<Ways<Shown>> {
      const { card } = facts;
      const view = { ...facts, detail: 'small' as const, isExternal };
      const galleryUrl = await cardMessages.galleryUrl({ workspaceId, cardId: card.id });
      const hasPicture = galleryUrl === undefined && card.files.some((file) => imageUrlOf(file));
      return {
        workObject: {
          contents: withPicturesOrNot(hasPicture, (withPicture) => {
            const built = buildDetails({ ...view, withPicture }, galleryUrl);
            const { url, reference: external_ref = built.external_ref } = asked;
            return { metadata: { ...built, url, external_ref } };
          }),
          refused: (code) => cardMessages.workObjectRefused(workspaceId, code),
        },
        // If Slack doesn't accept the trigger again, it shows an error of its own, and the person can press again.
        ...errorWith(DETAILS_ERRORS.notShown),
      };
    }

    async function current(): Promise<Ways<Shown>> {
      const refused = await refusal(await access.check(actor, 'users'));
      if (refused) return instead(refused);
      if (cardId === undefined) return instead('notACard');
      const reading = await cards.refresh(workspaceId, cardId).catch(problemOf);
      if (typeof reading === 'string') return instead(reading);
      if ('unreadable' in reading) return instead(reading.unreadable);
      const facts = await cardViews.addNames(actor, cardId, reading);
      const { readError, readAt } = reading;
      return show(readError ? { ...facts, readError, asOf: readAt } : facts);
    }

    /** The card as it was last read, if the service is slow. The read goes on, for the cache. */
    async function cached(): Promise<Ways<Shown> | undefined> {
      const checked = await access.checkCached(actor, 'users', 'recent');
      if (!checked || cardId === undefined || (await refusal(checked))) return undefined;
      const known = await cards.load(workspaceId, cardId);
      if (!known || 'unreadable' in known) return undefined;
      const message = 'takes too long';
      const readError = new DesignApiError({ code: 'timed_out', operation: 'getCard', message });
      const facts = cardViews.withoutLookups(cardId, known);
      return show({ ...facts, readError, asOf: known.readAt });
    }

    const reading = current().catch((error: unknown) => {
      const text = reportUnexpected(log, error, 'could not show the details of a card');
      return errorWith({ title: DETAILS_UNEXPECTED, text }, tryAgain());
    });
    try {
      const details =
        (await inTime<Ways<Shown> | undefined>(reading, undefined)) ??
        (await cached().catch((error: unknown) =>
          log.warn({ err: error }, 'could not show a card as it was last read'),
        )) ??
        (await instead('timed_out'));
      await sendRichest(details, async (shown) => {
        // Whatever Slack warns of, it has shown the details.
        await client.entity.presentDetails({ trigger_id: triggerId, ...shown });
      });
    } catch (error) {
      const about = { workspace: workspaceId, code: slackErrorCode(error), err: error };
      log.warn(about, 'could not present the details of a card');
    }
  }

  return {
    /** Someone opened a card's details, or pressed the pane's own refresh button. Slack doesn't say which. */
    async open(opened: PersonalEvent<'entity_details_requested'>): Promise<void> {
      const { event, is_ext_shared_channel } = opened.body;
      const cardId = cards.cardIdOf(unescapeEntities(event.entity_url));
      await present(opened, event.trigger_id, {
        // The reference is missing if it was opened from Slack's search.
        cardId: cardId ?? typedCardId(cardIdIn(event.external_ref) ?? '', cards),
        asked: { url: event.entity_url, reference: event.external_ref },
        isExternal: is_ext_shared_channel === true,
      });
    },

    async refresh(press: Press, { cardId, isExternal: wasExternal }: RefreshValue): Promise<void> {
      const { client, workspaceId, channelId: channel, entity } = press;
      const asked = entity ?? { url: cards.urlOf(cardId), reference: undefined };
      const isAsPosted = channel === undefined || (await conversations.allowsExternal(workspaceId));
      const isShared = isAsPosted
        ? wasExternal
        : await conversations.isExternal(client, { workspaceId, channel, wasExternal });
      const isExternal = isShared === true;
      await present(press, press.triggerId, { cardId, asked, isExternal });
    },
  };
}

/**
 * Slack has words of its own for `restricted`, `not_found`, `timeout`, and `internal_error`, which don't say what to do,
 * so all errors are custom. Only a partial view has buttons.
 */
function errorWith({ title, text }: { title: string; text: string }, help?: EntityActionButton) {
  const words = { custom_title: title, custom_message: text };
  const error: Shown['error'] = help
    ? { status: 'custom_partial_view', ...words, actions: [help] }
    : { status: 'custom', ...words };
  return { blocks: [() => ({ error })] };
}

function problemOf(error: unknown): DetailsProblem {
  if (error instanceof NotConnectedError) return error.reason;
  if (error instanceof DesignApiError) return error.code;
  throw error;
}
