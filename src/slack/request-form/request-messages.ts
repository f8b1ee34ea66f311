import type { Button, KnownBlock } from '@slack/types';
import { type DesignRequest, isBeingChecked } from '../../requests/request.ts';
import type { CardLinks } from '../../service/card-links.ts';
import { connectOffer } from '../connect/ask-admin.ts';
import { accessibilityLabel, fitBlocks, section } from '../text/blocks.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import { clip } from '../text/limits.ts';
import type { AdminToAsk } from '../words/errors.ts';
import {
  BUTTONS,
  CONFIRM_DISCARD,
  headlineOf,
  plainNote,
  wordsForRequest,
} from '../words/messages.ts';
import { FIELDS } from '../words/request-form.ts';
import type { MessageWithCard } from '../work-object/messages.ts';
import { FORM_ACTIONS, REQUEST_AGAIN } from './ids.ts';
import { problemsFromService } from './parse.ts';

/** A message, with a text for notifications. */
export type RequestMessage = MessageWithCard;

const TITLE_SHOWN = 200;

const shownTitle = ({ form }: DesignRequest) => escapeMrkdwn(clip(form.title, TITLE_SHOWN));

/**
 * The URL of a request's card. Undefined if the service returned no ID, or one that can't be part
 * of a URL.
 */
export const cardUrlOf = (
  { urlIfPossible }: CardLinks,
  { cardId }: DesignRequest,
): string | undefined => (cardId === undefined ? undefined : urlIfPossible(cardId));

/** Tells the author about a request that isn't a card yet, and what they can do. */
export function buildProblemNote(
  request: DesignRequest,
  { dashboardUrl, admin }: { dashboardUrl: string; admin?: AdminToAsk },
): RequestMessage {
  const { reference } = request;
  const words = wordsForRequest(request, admin);
  const heading = `*${shownTitle(request)}* · ${reference}`;
  const choices = choicesFor(request, { dashboardUrl, admin });
  return {
    text: `${headlineOf(request)}: ${shownTitle(request)} (${reference})`,
    blocks: fitBlocks([
      section(`${heading}\n${words}`),
      ...detailsOf(request),
      ...buttons(choices),
    ]),
  };
}

/** The buttons of its message and of its modal; lists have Request again beside each request. */
export const choicesFor = (
  request: DesignRequest,
  { dashboardUrl, admin }: { dashboardUrl: string; admin?: AdminToAsk },
): Button[] => [
  ...helpOffer(request, admin),
  ...buttonsFor(request, dashboardUrl),
  ...(request.state === 'discarded' ? [choice(REQUEST_AGAIN, BUTTONS.requestAgain, request)] : []),
];

/** For a request that waits for a key: connects one, or asks an admin to. */
function helpOffer({ state, problem }: DesignRequest, admin: AdminToAsk): Button[] {
  if (state !== 'waiting_for_key') return [];
  // The workspace is connected, so asking to connect it would say so.
  const isConnected = problem?.code === 'forbidden';
  return isConnected && admin !== 'reader' ? [] : [connectOffer(admin)];
}

/** The status without anything that the author typed. */
export function buildPlainNote(request: DesignRequest, admin?: AdminToAsk): RequestMessage {
  const text = plainNote(request.reference, wordsForRequest(request, admin));
  return { text, blocks: [section(text), ...buttons(helpOffer(request, admin))] };
}

/** Shown of each of the service's error details, in characters. */
const DETAIL_SHOWN = 200;
const MAX_DETAILS = 10;

function detailsOf({ state, problem }: DesignRequest): KnownBlock[] {
  if (state !== 'rejected') return [];
  const { problems, others } = problemsFromService(problem?.details ?? {});
  const named = Object.entries(problems) as [keyof typeof FIELDS, string][];
  const lines = [...named.map(([name, problem]) => `${FIELDS[name].label}: ${problem}`), ...others]
    .slice(0, MAX_DETAILS)
    .map((line) => `• ${escapeMrkdwn(clip(line, DETAIL_SHOWN))}`);
  return lines.length > 0 ? [section(lines.join('\n'))] : [];
}

/** The buttons for the author's decision. */
export function buttonsFor(request: DesignRequest, dashboardUrl: string): Button[] {
  const { state, problem } = request;
  // An admin may allow guests again; the other reasons are permanent.
  if (problem?.denied && problem.denied !== 'guest') return [];
  const correction = problem?.code === 'incomplete' ? BUTTONS.finish : BUTTONS.correct;
  switch (state) {
    case 'in_doubt':
      if (isBeingChecked(request)) return [];
      return problem?.searchedMinutes === undefined
        ? [
            choice(FORM_ACTIONS.found, BUTTONS.found, request),
            choice(FORM_ACTIONS.sendAgain, BUTTONS.sendAgain, request),
            discard(request),
            openButton(dashboardUrl, BUTTONS.openDashboard, request),
          ]
        : [
            choice(FORM_ACTIONS.sendAgain, BUTTONS.sendAgainAfterSearch, request),
            choice(FORM_ACTIONS.found, BUTTONS.found, request),
            discard(request),
          ];
    case 'rejected':
      return [
        { ...choice(FORM_ACTIONS.reopen, correction, request), style: 'primary' },
        discard(request),
      ];
    default:
      return [];
  }
}

const choice = (action_id: string, text: string, { id, form }: DesignRequest): Button => ({
  type: 'button',
  action_id,
  value: id,
  text: { type: 'plain_text', text },
  accessibility_label: accessibilityLabel(text, form.title),
});

/** Asks first, since a discarded request isn't sent again automatically. */
const discard = (request: DesignRequest): Button => ({
  ...choice(FORM_ACTIONS.discard, BUTTONS.discard, request),
  confirm: {
    title: { type: 'plain_text', text: CONFIRM_DISCARD.title },
    text: { type: 'plain_text', text: CONFIRM_DISCARD.text },
    confirm: { type: 'plain_text', text: CONFIRM_DISCARD.confirm },
    deny: { type: 'plain_text', text: CONFIRM_DISCARD.deny },
    style: 'danger',
  },
});

const openButton = (url: string, text: string, { form }: DesignRequest): Button => ({
  type: 'button',
  action_id: FORM_ACTIONS.openCard,
  url,
  text: { type: 'plain_text', text },
  accessibility_label: accessibilityLabel(text, form.title),
});

export const buttons = (elements: Button[]): KnownBlock[] =>
  elements.length > 0 ? [{ type: 'actions', elements }] : [];
