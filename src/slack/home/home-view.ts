import type { Button, HomeView, KnownBlock } from '@slack/types';
import { type DesignRequest, isBeingChecked } from '../../requests/request.ts';
import { coloredStatus, dueOf, linkedTitle, onOneLine, titleOf } from '../card/card-text.ts';
import { CARD_ACTIONS } from '../card/menu.ts';
import { offerBlocks } from '../request-form/form-view.ts';
import { FORM_ACTIONS } from '../request-form/ids.ts';
import { buttonsFor, requestRow } from '../request-form/outcome.ts';
import { describeConnection } from '../surface/connection.ts';
import { button, buttonRow, context, plainText, section } from '../text/blocks.ts';
import { escapedLink, escapeMrkdwn } from '../text/escape.ts';
import { clip } from '../text/limits.ts';
import { CARD, WATCHING } from '../words/card.ts';
import { type AdminToAsk, type Denied, wordsForDenied } from '../words/errors.ts';
import { HOME } from '../words/home.ts';
import { wordsForRequest } from '../words/messages.ts';
import type { UsableHome } from './homes.ts';

/** The action IDs of the tab's own buttons; requests and cards have their own. */
export const HOME_ACTIONS = {
  newRequest: 'home-new-request',
  settings: 'home-settings',
  refresh: 'home-refresh',
} as const;

/** How many watched cards are shown that the person didn't request. */
export const WATCHED_MAX = 10;
const TITLE_CHARS = 150;

type DeniedHome = { denied: Denied; admin: AdminToAsk };
export type HomeProps = DeniedHome | UsableHome;

/** @param supportUrl where people get help: an https or mailto URL */
export function buildHome(props: HomeProps, supportUrl?: string): HomeView {
  const blocks = 'denied' in props ? refusal(props) : blocksOf(props);
  return { type: 'home', blocks: [...blocks, ...supportLine(supportUrl)] };
}

function supportLine(url: string | undefined): KnownBlock[] {
  if (url === undefined) return [];
  const [, address] = /^mailto:(.*)$/.exec(url) ?? [];
  // Unlike in text from the service, an email address may be a link here.
  const link = address === undefined ? escapedLink(url, url) : `<${url}|${address}>`;
  return [context(HOME.support(link))];
}

function refusal({ denied, admin }: DeniedHome): KnownBlock[] {
  return [header(HOME.heading), section(HOME.intro), section(wordsForDenied(denied, admin))];
}

function blocksOf(props: UsableHome): KnownBlock[] {
  const { open, closed, older } = props;
  const needsAnswer = (request: DesignRequest) =>
    request.state === 'rejected' || (request.state === 'in_doubt' && !isBeingChecked(request));
  const lists: [heading: string, requests: KnownBlock[][]][] = [
    [HOME.needsYou, open.filter(needsAnswer).map((one) => openRequest(props, one))],
    [HOME.waiting, open.filter((one) => !needsAnswer(one)).map((one) => openRequest(props, one))],
    [HOME.recent, closed.map((one) => [closedRequest(props, one)])],
    [HOME.watching, watchedCards(props)],
  ];
  const isEmpty = open.length === 0 && closed.length === 0;
  return [
    header(HOME.heading),
    section(HOME.intro),
    ...buttonRow(mainButtons(props)),
    context(describeConnection(props.key, props.isAdmin)),
    ...offerBlocks(props.unfinished, FORM_ACTIONS.continue),
    ...lists
      .filter(([, requests]) => requests.length > 0)
      .flatMap(([heading, requests]) => [
        { type: 'divider' as const },
        header(heading),
        ...requests.flat(),
      ]),
    ...(isEmpty ? [{ type: 'divider' as const }, section(HOME.none)] : []),
    ...(older > 0 ? [context(HOME.older(older))] : []),
    context(HOME.help),
  ];
}

function mainButtons({ isAdmin, connectOrAsk }: UsableHome): Button[] {
  return [
    button(HOME_ACTIONS.newRequest, HOME.newRequest, { style: 'primary' }),
    ...(connectOrAsk ? [connectOrAsk] : []),
    ...(isAdmin ? [button(HOME_ACTIONS.settings, HOME.settings)] : []),
    button(HOME_ACTIONS.refresh, HOME.refresh),
  ];
}

/** A request that isn't a card yet: what happened, what happens next, and the buttons that decide it. */
function openRequest({ cardLinks, admin }: UsableHome, request: DesignRequest): KnownBlock[] {
  const words = wordsForRequest(request, admin);
  const title = clip(request.form.title, TITLE_CHARS);
  return [
    section(`*${escapeMrkdwn(title)}* · ${request.reference}\n${words}`),
    ...buttonRow(buttonsFor(request, cardLinks.dashboardUrl)),
  ];
}

const closedRequest = (
  { cardLinks: links, cards, watched, now }: UsableHome,
  request: DesignRequest,
): KnownBlock => {
  const card = cards.get(request.cardId ?? '');
  return requestRow(request, { card, links, watched, now, separator: '\n' });
};

function watchedCards({ watchedElsewhere, cards, cardLinks, now }: UsableHome): KnownBlock[][] {
  const rows = watchedElsewhere.slice(0, WATCHED_MAX).map((cardId): KnownBlock[] => {
    const known = cards.get(cardId);
    const title = known ? titleOf(known.card) : CARD.untitled(cardId);
    const status = known && coloredStatus(known.card);
    const facts = onOneLine([status, known && dueOf(known.card, now)]);
    const stop = button(CARD_ACTIONS.stopWatching, WATCHING.stop, { value: cardId, about: title });
    const shown = `${linkedTitle(cardLinks.urlOf(cardId), title)}${facts && `\n${facts}`}`;
    return [{ ...section(shown), accessory: stop }];
  });
  const left = watchedElsewhere.length - rows.length;
  return left > 0 ? [...rows, [context(HOME.moreWatched(left))]] : rows;
}

const header = (text: string): KnownBlock => ({ type: 'header', text: plainText(text) });
