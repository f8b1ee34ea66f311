import type { Button, KnownBlock } from '@slack/types';
import { type DesignRequest, isUnnamed } from '../../requests/request.ts';
import type { Card } from '../../service/operations/read-card.ts';
import { coloredStatus, contextIfAny, onOneLine, plain } from '../card/card-parts.ts';
import { menuOf } from '../card/menu.ts';
import { accessibilityLabel, fitBlocks, section } from '../text/blocks.ts';
import { escapedLink, escapeMrkdwn } from '../text/escape.ts';
import { BUTTON_URL_MAX, clip } from '../text/limits.ts';
import { WATCH_ACTIONS } from '../watching/ids.ts';
import { CARD } from '../words/card.ts';
import { BUTTONS, CONFIRMATION } from '../words/messages.ts';
import { WATCHING } from '../words/watching.ts';
import { FORM_ACTIONS, REQUEST_AGAIN } from './ids.ts';
import { dueOfRequest } from './request-facts.ts';
import type { RequestMessage } from './request-messages.ts';

const TITLE_SHOWN = 200;
const FACT_SHOWN = 75;

export type Confirmed = {
  request: DesignRequest;
  /** Undefined if it can't be read. */
  card: Card | undefined;
  /** Undefined if unknown. */
  cardUrl: string | undefined;
  /** For cards without a URL. */
  dashboardUrl: string;
  now: Date;
  /** Why the message wasn't posted in the chosen channel. */
  why?: string | undefined;
};

/**
 * Confirms that a request became a card, in about 90 pixels. The same message is drawn again when
 * its card changes.
 */
export function buildConfirmation({
  request,
  card,
  cardUrl,
  dashboardUrl,
  now,
  why,
}: Confirmed): RequestMessage {
  const { form, reference, userId } = request;
  const title = clip(form.title, TITLE_SHOWN);
  const sentence = (shown: string) => CONFIRMATION.sentence(`<@${userId}>`, shown, form.isDraft);
  const facts = onOneLine([
    (card && coloredStatus(card)) ?? CONFIRMATION.statusIfUnknown(form.isDraft),
    plain(form.requestType.name, FACT_SHOWN),
    plain(form.brand?.name, FACT_SHOWN),
    dueOfRequest(request, card, now),
    reference,
  ]);
  const blocks: KnownBlock[] = [
    section(sentence(`*${cardUrl ? escapedLink(cardUrl, title) : escapeMrkdwn(title)}*`)),
    ...contextIfAny(facts),
    ...contextIfAny(
      cardUrl ? '' : isUnnamed(request) ? CONFIRMATION.unnamed : CONFIRMATION.noAddress,
    ),
    {
      type: 'actions',
      elements: [...buttonsOf(request, cardUrl, dashboardUrl), ...menuFor(request)],
    },
    ...contextIfAny(form.isDraft ? CONFIRMATION.draft : ''),
    ...contextIfAny(why ?? ''),
  ];
  return { text: onOneLine([sentence(escapeMrkdwn(title)), facts]), blocks: fitBlocks(blocks) };
}

/** Open, and Refresh, or Found it if the service hasn't named the card. */
function buttonsOf(
  { id, cardId, form }: DesignRequest,
  cardUrl: string | undefined,
  dashboardUrl: string,
): Button[] {
  const button = (action_id: string, text: string): Button => ({
    type: 'button',
    action_id,
    text: { type: 'plain_text', text },
    accessibility_label: accessibilityLabel(text, form.title),
  });
  const open = button(FORM_ACTIONS.openCard, cardUrl ? CARD.open : BUTTONS.openDashboard);
  const url = cardUrl ?? dashboardUrl;
  return [
    ...(url.length > BUTTON_URL_MAX ? [] : [{ ...open, url }]),
    cardId === undefined
      ? { ...button(FORM_ACTIONS.found, BUTTONS.found), value: id }
      : { ...button(FORM_ACTIONS.refresh, CARD.refresh), value: id },
  ];
}

const menuFor = ({ id, cardId }: DesignRequest) =>
  menuOf([
    ...(cardId === undefined
      ? []
      : [{ actionId: WATCH_ACTIONS.watch, label: WATCHING.watch, value: cardId }]),
    { actionId: REQUEST_AGAIN, label: BUTTONS.requestAgain, value: id },
  ]);
