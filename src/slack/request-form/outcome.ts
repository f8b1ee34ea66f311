import type { Button, KnownBlock, ModalView } from '@slack/types';
import type { CardLinks } from '../../references.ts';
import { type DesignRequest, isBeingChecked, type RequestProblem } from '../../requests/request.ts';
import { isDirectMessage } from '../client/direct-messages.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { AccessControl } from '../surface/access.ts';
import { connectOffer } from '../surface/connection.ts';
import { button, buttonRow, fitBlocks, section } from '../text/blocks.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import { clip } from '../text/limits.ts';
import type { AdminToAsk } from '../words/errors.ts';
import {
  BUTTONS,
  CHECKING_ON,
  type ChangesAnnounced,
  CONFIRM_DISCARD,
  headlineOf,
  wordsForRequest,
  wordsForSent,
} from '../words/messages.ts';
import { FIELDS } from '../words/request-form.ts';
import { buildNoticeView, discardDialog } from './form-view.ts';
import { FORM_ACTIONS, REQUEST_AGAIN } from './ids.ts';
import { problemsFromService } from './parse.ts';

// What to say about a request to its author, and what they can do.

/** Who can help, and where to look. */
type Help = { dashboardUrl: string; admin?: AdminToAsk };

/** Problems that an admin can solve. */
const ADMINS_CAN_HELP: ReadonlySet<string> = new Set<RequestProblem['code']>([
  'author_denied',
  'no_key',
  'key_rejected',
  'key_unreadable',
  'forbidden',
]);

export type HelpFor = ReturnType<typeof createHelp>;

export const createHelp =
  ({ access, cards }: { access: AccessControl; cards: CardLinks }) =>
  async (client: SlackClient, { problem, workspaceId, userId }: DesignRequest): Promise<Help> => {
    const canHelp = problem && ADMINS_CAN_HELP.has(problem.code);
    const admin = canHelp ? await access.adminToAsk(client, workspaceId, userId) : undefined;
    return { dashboardUrl: cards.dashboardUrl, admin };
  };

/** Undefined if the service returned no ID, or one that can't be part of a URL. */
export const cardUrlOf = (
  { urlIfPossible }: CardLinks,
  { cardId }: DesignRequest,
): string | undefined => (cardId === undefined ? undefined : urlIfPossible(cardId));

const TEXT_CHARS = 200;
const MAX_DETAILS = 10;

/** The message about a request that isn't a card yet. */
export function buildProblemNote(
  request: DesignRequest,
  help: Help,
): { text: string; blocks: KnownBlock[] } {
  const { reference, form } = request;
  const title = escapeMrkdwn(clip(form.title, TEXT_CHARS));
  return {
    text: `${headlineOf(request)}: ${title} (${reference})`,
    blocks: fitBlocks([
      section(`*${title}* · ${reference}\n${wordsForRequest(request, help.admin)}`),
      ...detailsOf(request),
      ...buttonRow(choicesFor(request, help)),
    ]),
  };
}

/** What the modal shows in which the request was submitted. */
export function buildOutcomeView(
  request: DesignRequest,
  help: Help,
  changes: ChangesAnnounced,
): ModalView {
  const { form, reference, state, message } = request;
  const words = [
    wordsForRequest(request, help.admin),
    ...(isBeingChecked(request) ? [CHECKING_ON] : []),
  ];
  const channel =
    message && !isDirectMessage(message.channel) ? `<#${message.channel}>` : undefined;
  const text =
    state === 'created'
      ? wordsForSent(form.isDraft, message && { channel, changes })
      : `*${escapeMrkdwn(form.title)}* · ${reference}\n${words.join(' ')}`;
  return buildNoticeView(text, { buttons: buttonRow(choicesFor(request, help)) });
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
const choicesFor = (request: DesignRequest, { dashboardUrl, admin }: Help): Button[] => [
  ...helpOffer(request, admin),
  ...buttonsFor(request, dashboardUrl),
  ...(request.state === 'discarded' ? [choice(REQUEST_AGAIN, BUTTONS.requestAgain, request)] : []),
];

/** For a request that waits for a key: connects one, or asks an admin to. */
function helpOffer({ state, problem }: DesignRequest, admin: AdminToAsk): Button[] {
  if (state !== 'waiting_for_key') return [];
  // The workspace is connected, and asking to connect it would only say so.
  const isConnected = problem?.code === 'forbidden';
  return isConnected && admin !== 'reader' ? [] : [connectOffer(admin)];
}

/** The buttons for the author's decision. */
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
