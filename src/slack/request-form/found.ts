import type { InputBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { confirmFound, type FoundResult } from '../../requests/confirm-found.ts';
import { type DesignRequest, isUnnamed } from '../../requests/request.ts';
import { isLink, typedCardId } from '../card/typed-card-id.ts';
import type { SlackDeps } from '../deps.ts';
import type { AllowedUser } from '../listener/access.ts';
import type { ModalToOpen } from '../listener/open-modal.ts';
import { type ActionArgs, pressedValue, type ViewArgs } from '../listener/replies.ts';
import type { ModalSubmission } from '../listener/submissions.ts';
import { section } from '../text/blocks.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import { clip } from '../text/limits.ts';
import { buildNotice } from '../views/notice-view.ts';
import { STATUS } from '../words/command.ts';
import { wordsForServiceError } from '../words/errors.ts';
import { FOUND } from '../words/in-doubt.ts';
import { DECIDED, decidedBefore, NOT_YOUR_DECISION, wordsForRequest } from '../words/messages.ts';
import { CANCEL, ONE_MOMENT } from '../words/modal.ts';

export const FOUND_VIEW = 'request-found';
const CARD_BLOCK = 'card';
const CARD_INPUT = 'card';
const TITLE_SHOWN = 150;

/** Which request the modal is about, and the card that its author was asked to confirm. */
const foundMetadata = z.object({ requestId: z.string(), unproven: z.string().optional() });

type FoundDeps = Pick<SlackDeps, 'requests' | 'transact' | 'cards' | 'cardLinks' | 'now' | 'log'>;

const notice = (text: string) => buildNotice({ title: FOUND.title, text });

/** “Found it”: asks which card the request in doubt became. */
export function foundModal(deps: FoundDeps, { action }: ActionArgs): ModalToOpen {
  const requestId = pressedValue(action);
  return {
    loading: notice(ONE_MOMENT),
    notice,
    async fill({ workspaceId, person }, modal) {
      const request = requestId ? await deps.requests.get(workspaceId, requestId) : undefined;
      const isAuthor = request?.userId === person.id;
      const view = isAuthor
        ? request.state === 'in_doubt' || isUnnamed(request)
          ? buildFoundView({ request })
          : notice(decidedBefore(wordsForRequest(request)))
        : notice(NOT_YOUR_DECISION);
      await modal.draw(view);
    },
  };
}

/** Checks that the typed text names a card right away, and the card itself with the service. */
export function onFoundSubmitted(deps: FoundDeps, { view }: ViewArgs): ModalSubmission {
  const { requestId, unproven } = foundMetadata.parse(JSON.parse(view.private_metadata));
  const typed = view.state.values[CARD_BLOCK]?.[CARD_INPUT]?.value?.trim() ?? '';
  const cardId = typedCardId(typed, deps.cardLinks);
  if (cardId === undefined) {
    const problem = isLink(typed) ? STATUS.foreignLink : FOUND.missing;
    return { problems: { [CARD_BLOCK]: problem } };
  }
  return {
    title: FOUND.title,
    busy: FOUND.checking,
    apply: (user) => confirm(deps, user, { requestId, typed, cardId, isSure: unproven === cardId }),
  };
}

async function confirm(
  deps: FoundDeps,
  { workspaceId, person }: AllowedUser,
  said: { requestId: string; typed: string; cardId: string; isSure: boolean },
): Promise<ModalView> {
  const { requestId, typed, cardId, isSure } = said;
  const request = await deps.requests.get(workspaceId, requestId);
  if (!request) return notice(NOT_YOUR_DECISION);
  const asked = { workspaceId, userId: person.id, requestId, cardId, isSure };
  const result = await confirmFound(deps, asked).catch((error: unknown) => ({
    problem: wordsForServiceError(error),
  }));
  if ('problem' in result) return buildFoundView({ request, typed, problem: result.problem });
  return viewOf(result, request, { typed, cardId });
}

function viewOf(
  result: FoundResult,
  request: DesignRequest,
  { typed, cardId }: { typed: string; cardId: string },
): ModalView {
  if ('unreadable' in result) {
    const problem = result.unreadable === 'not_found' ? STATUS.noSuchCard : STATUS.forbidden;
    return buildFoundView({ request, typed, problem });
  }
  if ('unproven' in result) {
    const title = `*${escapeMrkdwn(clip(result.unproven.title, TITLE_SHOWN))}*`;
    const problem = FOUND.otherReference(title, request.reference);
    return buildFoundView({ request, typed, problem, unproven: cardId });
  }
  if (result.done) return notice(DECIDED.found);
  return notice(
    result.request ? decidedBefore(wordsForRequest(result.request)) : NOT_YOUR_DECISION,
  );
}

function buildFoundView(props: {
  request: DesignRequest;
  typed?: string;
  problem?: string;
  /** A card without the reference: submitted again, it is accepted. */
  unproven?: string;
}): ModalView {
  const { request, typed, problem, unproven } = props;
  const { id: requestId, reference, form } = request;
  const title = escapeMrkdwn(clip(form.title, TITLE_SHOWN));
  const input: InputBlock = {
    type: 'input',
    block_id: CARD_BLOCK,
    label: { type: 'plain_text', text: FOUND.label },
    hint: { type: 'plain_text', text: FOUND.hint },
    element: {
      type: 'plain_text_input',
      action_id: CARD_INPUT,
      placeholder: { type: 'plain_text', text: FOUND.placeholder },
      ...(typed ? { initial_value: typed } : {}),
    },
  };
  return {
    type: 'modal',
    callback_id: FOUND_VIEW,
    private_metadata: JSON.stringify({ requestId, unproven }),
    title: { type: 'plain_text', text: FOUND.title },
    submit: { type: 'plain_text', text: unproven ? FOUND.confirm : FOUND.submit },
    close: { type: 'plain_text', text: CANCEL },
    blocks: [
      section(FOUND.question(title, reference)),
      input,
      ...(problem ? [section(`:warning: ${problem}`)] : []),
    ],
  };
}
