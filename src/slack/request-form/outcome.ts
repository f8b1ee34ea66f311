import type { Button, KnownBlock } from '@slack/types';
import type { CardLinks } from '../../references.ts';
import { isUnlistedForm } from '../../requests/match-lists.ts';
import { type DesignRequest, isBeingChecked } from '../../requests/request.ts';
import type { Card } from '../../service/operations/card.ts';
import { neededBy } from '../../service/operations/loose-values.ts';
import { coloredStatus, dueOf, linkedTitle, onOneLine, plain } from '../card/card-text.ts';
import { CARD_ACTIONS } from '../card/menu.ts';
import { connectOrAskButton } from '../interaction/connection.ts';
import { button, buttonRow, fitBlocks, menuOf, section, timeAgo } from '../text/blocks.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import { clip } from '../text/limits.ts';
import { CARD, WATCHING } from '../words/card.ts';
import { LIST } from '../words/command.ts';
import type { AdminToAsk } from '../words/errors.ts';
import {
  BUTTONS,
  CHECKING_MAY_CLOSE,
  CONFIRM_DISCARD,
  headlineOf,
  wordsForRequest,
} from '../words/messages.ts';
import { FIELDS } from '../words/request-form.ts';
import { buildNoticeView, discardDialog } from './form-view.ts';
import { FORM_ACTIONS, REQUEST_AGAIN } from './ids.ts';
import { problemsFromService } from './parse.ts';

// What to say about a request to its author, and what they can do.

/** Whether an admin can solve what keeps a request from becoming a card. */
export const canAdminHelp = ({ state, problem }: DesignRequest): boolean =>
  state === 'waiting_for_key' || problem?.denied === 'guest';

const TEXT_CHARS = 200;
const MAX_DETAILS = 10;

/** The message about a request that isn't a card yet. */
export function buildProblemNote(request: DesignRequest, dashboardUrl: string, admin?: AdminToAsk) {
  const { reference, form } = request;
  const title = escapeMrkdwn(clip(form.title, TEXT_CHARS));
  return {
    text: `${headlineOf(request)}: ${title} (${reference})`,
    blocks: fitBlocks([
      section(`*${title}* · ${reference}\n${wordsForRequest(request, admin)}`),
      ...detailsOf(request),
      ...buttonRow(choicesFor(request, dashboardUrl, admin)),
    ]),
  };
}

export function buildOutcomeView(request: DesignRequest, dashboardUrl: string, admin?: AdminToAsk) {
  const title = `*${escapeMrkdwn(request.form.title)}* · ${request.reference}`;
  const mayClose = isBeingChecked(request) ? ` ${CHECKING_MAY_CLOSE}` : '';
  const text = `${title}\n${wordsForRequest(request, admin)}${mayClose}`;
  return buildNoticeView(text, { buttons: buttonRow(choicesFor(request, dashboardUrl, admin)) });
}

function detailsOf({ state, problem }: DesignRequest): KnownBlock[] {
  if (state !== 'rejected') return [];
  const { problems, others } = problemsFromService(problem?.details ?? {});
  const named = Object.entries(problems) as [keyof typeof FIELDS, string][];
  const lines = [...named.map(([name, problem]) => `${FIELDS[name].label}: ${problem}`), ...others]
    .slice(0, MAX_DETAILS)
    .map((line) => `• ${escapeMrkdwn(clip(line, TEXT_CHARS))}`);
  return lines.length > 0 ? [section(lines.join('\n'))] : [];
}

/** The buttons of its message and of its modal; lists have Request again beside each request. */
function choicesFor(request: DesignRequest, dashboardUrl: string, admin: AdminToAsk): Button[] {
  const { state, problem } = request;
  // If its key can't create cards, the workspace is connected, and asking to connect it would only say so.
  const canAsk = problem?.code !== 'forbidden' || admin === 'reader';
  return [
    ...(state === 'waiting_for_key' && canAsk ? [connectOrAskButton(admin)] : []),
    ...buttonsFor(request, dashboardUrl),
    ...(state === 'discarded' ? [choice(REQUEST_AGAIN, BUTTONS.requestAgain, request)] : []),
  ];
}

export function buttonsFor(request: DesignRequest, dashboardUrl: string): Button[] {
  const { state, problem, form } = request;
  // An admin may allow guests again; the other reasons are permanent.
  if (problem?.denied && problem.denied !== 'guest') return [];
  const { found, sendAgain, reopen, openCard, discard: discardAction } = FORM_ACTIONS;
  const discard = {
    ...choice(discardAction, BUTTONS.discard, request),
    confirm: discardDialog(CONFIRM_DISCARD.text),
  };
  if (state === 'rejected') {
    const correction = problem?.code === 'incomplete' ? BUTTONS.finish : BUTTONS.correct;
    return [{ ...choice(reopen, correction, request), style: 'primary' }, discard];
  }
  if (state !== 'in_doubt' || isBeingChecked(request)) return [];
  const foundIt = choice(found, BUTTONS.found, request);
  return problem?.searchedMinutes === undefined
    ? [
        foundIt,
        choice(sendAgain, BUTTONS.sendAgain, request),
        discard,
        button(openCard, BUTTONS.openDashboard, { url: dashboardUrl, about: form.title }),
      ]
    : [choice(sendAgain, BUTTONS.sendAgainAfterSearch, request), foundIt, discard];
}

const choice = (actionId: string, text: string, { id, form }: DesignRequest): Button =>
  button(actionId, text, { value: id, about: form.title });

const TITLE_CHARS = 150;
const FACT_CHARS = 60;
/** A status this old, in ms, is good enough for a list. An older one says when it was read. */
const OLD_AFTER_MS = 5 * 60_000;

export type CachedCard = { card: Card; readAt: Date };

/** What is known of a request, as one line of mrkdwn. */
function requestFacts(request: DesignRequest, known: CachedCard | undefined, now: Date): string {
  const { form, reference, createdAt, state } = request;
  if (isBeingChecked(request)) return onOneLine([wordsForRequest(request), reference]);
  const isSavedDraft = state === 'created' && form.isDraft;
  const status = known && coloredStatus(known.card);
  const isOld = known && now.getTime() - known.readAt.getTime() > OLD_AFTER_MS;
  const isNamedDraft = known?.card.status?.name.trim().toLowerCase() === LIST.draft.toLowerCase();
  return onOneLine([
    isSavedDraft && status && !isNamedDraft ? LIST.draft : undefined,
    status ?? (isSavedDraft ? LIST.draft : LIST.inState[state]),
    isUnlistedForm(form) ? undefined : plain(form.requestType.name, FACT_CHARS),
    plain(form.brand?.name, FACT_CHARS),
    dueOfRequest(request, known?.card, now),
    LIST.requested(timeAgo(createdAt)),
    isOld ? CARD.asOf(timeAgo(known.readAt)) : undefined,
    reference,
  ]);
}

export const dueOfRequest = ({ form }: DesignRequest, card: Card | undefined, now: Date) =>
  dueOf({ status: card?.status, dueDate: card?.dueDate ?? neededBy(form.neededBy) }, now);

/** One of a person's requests in a list: its title, the facts after a separator, and a menu. */
export function requestRow(
  request: DesignRequest,
  props: {
    card: CachedCard | undefined;
    links: CardLinks;
    watched: ReadonlySet<string>;
    now: Date;
    separator: string;
  },
): KnownBlock {
  const { card, links, watched, now, separator } = props;
  const url = links.urlIfPossible(request.cardId);
  const title = linkedTitle(url, clip(request.form.title, TITLE_CHARS));
  const menu = requestMenu(request, watched.has(request.cardId ?? ''));
  const facts = requestFacts(request, card, now);
  return { ...section(title + separator + facts), ...(menu ? { accessory: menu } : {}) };
}

/** With a card, there is more to do than fits next to its line. */
function requestMenu({ id, form, state, cardId }: DesignRequest, isWatched: boolean) {
  // While we ask whether it arrived, this could make a second card.
  if (state === 'in_doubt') return undefined;
  const watch = isWatched
    ? { actionId: CARD_ACTIONS.stopWatching, label: WATCHING.stop }
    : { actionId: CARD_ACTIONS.watch, label: WATCHING.watch };
  const again = { actionId: REQUEST_AGAIN, label: BUTTONS.requestAgain, value: id };
  const hasCard = state === 'created' && cardId !== undefined;
  const [menu] = hasCard ? menuOf([again, { ...watch, value: cardId }]) : [];
  return menu ?? button(REQUEST_AGAIN, BUTTONS.requestAgain, { value: id, about: form.title });
}
