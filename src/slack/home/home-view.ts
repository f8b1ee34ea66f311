import type { HomeView, KnownBlock } from '@slack/types';
import type { Cards } from '../../design-service.ts';
import { type DesignRequest, isBeingChecked } from '../../requests/request.ts';
import type { UnfinishedForms } from '../../requests/unfinished-forms.ts';
import type { Card } from '../../service/operations/card.ts';
import type { EffectiveKeys } from '../../service/service-access.ts';
import type { RequestStore } from '../../store/requests.ts';
import type { WatchStore } from '../../store/watches.ts';
import { coloredStatus, dueOf, linkedTitle, onOneLine, titleOf } from '../card/card-text.ts';
import { asOfIfOld } from '../card/card-view.ts';
import { CARD_ACTIONS } from '../card/menu.ts';
import type { AllowedUser } from '../interaction/access.ts';
import { connectOrAskButton, describeConnection } from '../interaction/connection.ts';
import { offerBlocks } from '../request-form/form-view.ts';
import { FORM_ACTIONS } from '../request-form/ids.ts';
import { buttonsFor, type CachedCard, requestRow } from '../request-form/outcome.ts';
import { button, buttonRow, context, plainText, section } from '../text/blocks.ts';
import { escapedLink, escapeMrkdwn } from '../text/escape.ts';
import { clip } from '../text/limits.ts';
import { CARD, WATCHING } from '../words/card.ts';
import { LIST } from '../words/command.ts';
import { type AdminToAsk, type Denied, wordsForDenied } from '../words/errors.ts';
import { HOME } from '../words/home.ts';
import { wordsForRequest } from '../words/messages.ts';

/** The action IDs of the tab's own buttons; requests and cards have their own. */
export const HOME_ACTIONS = {
  newRequest: 'home-new-request',
  settings: 'home-settings',
  refresh: 'home-refresh',
} as const;

/** Among how many of the newest requests closed ones are shown, and how many open ones. A view takes 100 blocks. */
const RECENT_MAX = 20;
const OPEN_MAX = 15;
/** How many watched cards are shown that the person didn't request. */
const WATCHED_MAX = 10;
/** How many watched cards are counted, to say how many aren't shown. */
const WATCHED_COUNTED = 500;
const TITLE_CHARS = 150;

/** @param supportUrl where people get help: an https or mailto URL */
export function buildHome(blocks: readonly KnownBlock[], supportUrl: string | undefined): HomeView {
  if (supportUrl === undefined) return { type: 'home', blocks: [...blocks] };
  const [, address] = /^mailto:(.*)$/.exec(supportUrl) ?? [];
  // Unlike in text from the service, an email address may be a link here.
  const link =
    address === undefined ? escapedLink(supportUrl, supportUrl) : `<${supportUrl}|${address}>`;
  return { type: 'home', blocks: [...blocks, context(HOME.support(link))] };
}

const header = (text: string): KnownBlock => ({ type: 'header', text: plainText(text) });
const DIVIDER: KnownBlock = { type: 'divider' };
const HEADING = [header(HOME.heading), section(HOME.intro)];

export const buildRefusal = (denied: Denied, admin: AdminToAsk): KnownBlock[] => [
  ...HEADING,
  section(wordsForDenied(denied, admin)),
];

export type HomeSources = {
  requests: RequestStore;
  keys: Pick<EffectiveKeys, 'describe'>;
  unfinishedForms: UnfinishedForms;
  watches: WatchStore;
  cards: Cards;
  now: () => Date;
};

/**
 * What someone's tab shows, from what is stored and cached: no call to the service, and one to Slack only to find whom
 * they can ask. `staleCards` are those that weren't read lately.
 */
export async function readHome(
  { requests, keys, unfinishedForms, watches, cards, now: clock }: HomeSources,
  { workspaceId, person }: AllowedUser,
  findAdmin: () => Promise<AdminToAsk>,
) {
  const [newest, open, count, key, saved, watching] = await Promise.all([
    requests.listByAuthor(workspaceId, person.id, RECENT_MAX),
    requests.listOpenByAuthor(workspaceId, person.id, OPEN_MAX),
    requests.countByAuthor(workspaceId, person.id),
    keys.describe(workspaceId),
    unfinishedForms.of({ workspaceId, userId: person.id }),
    watches.cardsWatchedBy(workspaceId, person.id, WATCHED_COUNTED),
  ]);
  const isAdmin = person.role === 'admin';
  const isConnected = key?.state === 'active';
  const admin = isConnected && open.length === 0 ? undefined : await findAdmin();
  const closed = newest.filter(({ state }) => state === 'created' || state === 'discarded');
  const cardIds = closed.flatMap(({ cardId }) => cardId ?? []);
  // Those of their own requests are in the lists above. The newest watch comes first.
  const watchedElsewhere = watching.filter((cardId) => !cardIds.includes(cardId));
  const shownElsewhere = watchedElsewhere.slice(0, WATCHED_MAX);
  const now = clock();
  const known = new Map<string, CachedCard>();
  const staleCards: string[] = [];
  const loaded = [...cardIds, ...shownElsewhere].map(
    async (cardId) => [cardId, await cards.load(workspaceId, cardId)] as const,
  );
  for (const [cardId, reading] of await Promise.all(loaded)) {
    if (reading && 'card' in reading) known.set(cardId, reading);
    if (!reading || asOfIfOld(reading.readAt, now)) staleCards.push(cardId);
  }

  const openRequest = (request: DesignRequest): KnownBlock[] => {
    const title = escapeMrkdwn(clip(request.form.title, TITLE_CHARS));
    const words = wordsForRequest(request, admin);
    return [
      section(`*${title}* · ${request.reference}\n${words}`),
      ...buttonRow(buttonsFor(request, cards.dashboardUrl)),
    ];
  };
  const watched = new Set(watching);
  const closedRequest = (request: DesignRequest): KnownBlock => {
    const card = known.get(request.cardId ?? '');
    return requestRow(request, { card, links: cards, watched, now, separator: '\n' });
  };
  const left = watchedElsewhere.length - shownElsewhere.length;
  const lists: [heading: string, blocks: KnownBlock[]][] = [
    [HOME.needsYou, open.filter(needsAnswer).flatMap(openRequest)],
    [HOME.waiting, open.filter((one) => !needsAnswer(one)).flatMap(openRequest)],
    [HOME.recent, closed.map(closedRequest)],
    [
      HOME.watching,
      [
        ...shownElsewhere.map((id) => watchedCard(id, cards.urlOf(id), known.get(id)?.card, now)),
        ...(left > 0 ? [context(HOME.moreWatched(left))] : []),
      ],
    ],
  ];
  const isEmpty = open.length === 0 && closed.length === 0;
  const older = count - open.length - closed.length;
  const blocks: KnownBlock[] = [
    ...HEADING,
    ...buttonRow([
      button(HOME_ACTIONS.newRequest, HOME.newRequest, { style: 'primary' }),
      ...(isConnected ? [] : [connectOrAskButton(admin)]),
      ...(isAdmin ? [button(HOME_ACTIONS.settings, HOME.settings)] : []),
      button(HOME_ACTIONS.refresh, HOME.refresh),
    ]),
    context(describeConnection(key, isAdmin)),
    ...offerBlocks(saved, FORM_ACTIONS.continue),
    ...lists
      .filter(([, shown]) => shown.length > 0)
      .flatMap(([title, shown]) => [DIVIDER, header(title), ...shown]),
    ...(isEmpty ? [DIVIDER, section(HOME.none)] : []),
    ...(older > 0 ? [context(LIST.olderNotShown(older))] : []),
    context(HOME.help),
  ];
  return { blocks, staleCards };
}

const needsAnswer = (request: DesignRequest) =>
  request.state === 'rejected' || (request.state === 'in_doubt' && !isBeingChecked(request));

function watchedCard(cardId: string, url: string, card: Card | undefined, now: Date): KnownBlock {
  const title = card ? titleOf(card) : CARD.untitled(cardId);
  const facts = card ? onOneLine([coloredStatus(card), dueOf(card, now)]) : '';
  const stop = button(CARD_ACTIONS.stopWatching, WATCHING.stop, { value: cardId, about: title });
  return { ...section(`${linkedTitle(url, title)}${facts && `\n${facts}`}`), accessory: stop };
}
