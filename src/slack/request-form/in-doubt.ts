import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { Cards } from '../../design-service.ts';
import { isLink, typedCardId } from '../../references.ts';
import type { ChangeContext } from '../../requests/change-request-state.ts';
import { confirmFound, type Decision, decideInDoubt } from '../../requests/decide.ts';
import { isSearchedFor } from '../../requests/jobs.ts';
import type { DesignRequest } from '../../requests/request.ts';
import type { AllowedUser } from '../interaction/access.ts';
import type { Press, Submission } from '../interaction/interactions.ts';
import type { ModalSubmission, ModalToOpen } from '../interaction/open-modal.ts';
import { buildModal } from '../interaction/views.ts';
import { inputBlock, plainText, section } from '../text/blocks.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import { clip } from '../text/limits.ts';
import { STATUS } from '../words/command.ts';
import { wordsForServiceError } from '../words/errors.ts';
import {
  DECIDED,
  decidedBefore,
  FOUND,
  NOT_YOUR_DECISION,
  wordsForRequest,
} from '../words/messages.ts';

export const FOUND_VIEW = 'request-found';
const CARD_BLOCK = 'card';
const CARD_INPUT = 'card';
const TITLE_CHARS = 150;

/** Which request the modal is about, and the card that its author was asked to confirm. */
const foundMetadata = z.object({ requestId: z.string(), unproven: z.string().optional() });

/** @param request undefined if the person isn't its author */
const wordsForNotDecided = (request: DesignRequest | undefined) =>
  request ? decidedBefore(wordsForRequest(request)) : NOT_YOUR_DECISION;

export function createDecisions(changing: ChangeContext & { cards: Cards }) {
  const { requests, cards } = changing;

  async function decide(press: Press, decision: Decision): Promise<void> {
    const { workspaceId, userId, value: requestId } = press;
    if (!requestId) return;
    const asked = { workspaceId, userId, requestId, decision };
    const { done, request } = await decideInDoubt(changing, asked);
    // The Home tab, and the modal that the request was sent in, show it.
    if (done && press.view) return;
    await press.reply(done ? DECIDED[decision] : wordsForNotDecided(request));
  }

  function foundModal({ value: requestId }: Press): ModalToOpen {
    return {
      title: FOUND.title,
      async fill({ workspaceId, userId }, modal) {
        const request = requestId ? await requests.get(workspaceId, requestId) : undefined;
        const own = request?.userId === userId ? request : undefined;
        const canDecide = own && isSearchedFor(own);
        await modal.draw(canDecide ? buildFoundView(own) : wordsForNotDecided(own));
      },
    };
  }

  /** Checks that the typed text names a card right away, and the card itself with the service. */
  function onFoundSubmitted({ view }: Submission): ModalSubmission {
    const { requestId, unproven } = foundMetadata.parse(JSON.parse(view.private_metadata));
    const typed = view.state.values[CARD_BLOCK]?.[CARD_INPUT]?.value?.trim() ?? '';
    const cardId = typedCardId(typed, cards);
    if (cardId === undefined) {
      const problem = isLink(typed) ? STATUS.foreignLink : FOUND.missing;
      return { problems: { [CARD_BLOCK]: problem } };
    }
    return {
      title: FOUND.title,
      busy: FOUND.checking,
      apply: (user) => confirm(user, { requestId, typed, cardId, isSure: unproven === cardId }),
    };
  }

  async function confirm(
    { workspaceId, userId }: AllowedUser,
    said: { requestId: string; typed: string; cardId: string; isSure: boolean },
  ): Promise<ModalView | string> {
    const { requestId, typed, cardId, isSure } = said;
    const request = await requests.get(workspaceId, requestId);
    if (!request) return NOT_YOUR_DECISION;
    const askAgain = (problem: string, unproven?: string) =>
      buildFoundView(request, { typed, problem, unproven });
    const asked = { workspaceId, userId, requestId, cardId, isSure };
    const result = await confirmFound(changing, asked).catch((error: unknown) => ({
      problem: wordsForServiceError(error),
    }));
    if ('problem' in result) return askAgain(result.problem);
    if ('unreadable' in result) {
      return askAgain(result.unreadable === 'not_found' ? STATUS.noSuchCard : STATUS.forbidden);
    }
    if ('unproven' in result) {
      const title = `*${escapeMrkdwn(clip(result.unproven.title, TITLE_CHARS))}*`;
      return askAgain(FOUND.otherReference(title, request.reference), cardId);
    }
    return result.done ? DECIDED.found : wordsForNotDecided(result.request);
  }

  return {
    foundModal,
    onFoundSubmitted,
    onSendAgain: (press: Press) => decide(press, 'send_again'),
    onDiscard: (press: Press) => decide(press, 'discard'),
  };
}

/** `unproven` is a card without the reference: submitted again, it is accepted. */
function buildFoundView(
  { id: requestId, reference, form }: DesignRequest,
  said: { typed?: string; problem?: string; unproven?: string | undefined } = {},
): ModalView {
  const { typed, problem, unproven } = said;
  const title = escapeMrkdwn(clip(form.title, TITLE_CHARS));
  return buildModal({
    title: FOUND.title,
    submit: unproven ? FOUND.confirm : FOUND.submit,
    callbackId: FOUND_VIEW,
    metadata: JSON.stringify({ requestId, unproven }),
    blocks: [
      section(FOUND.question(title, reference)),
      inputBlock(CARD_BLOCK, FOUND, {
        type: 'plain_text_input',
        action_id: CARD_INPUT,
        placeholder: plainText(FOUND.placeholder),
        ...(typed ? { initial_value: typed } : {}),
      }),
      ...(problem ? [section(`:warning: ${problem}`)] : []),
    ],
  });
}
