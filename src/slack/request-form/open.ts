import { randomUUID } from 'node:crypto';
import type { FormDraft } from '../../requests/request.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import { explainServiceError } from '../listener/access.ts';
import type { ModalToOpen } from '../listener/open-modal.ts';
import { type ActionArgs, channelOf, pressedValue, workspaceOf } from '../listener/replies.ts';
import { plainTextToRichText } from '../text/rich-text-to-html.ts';
import { updateView } from '../views/update-view.ts';
import { SHARE } from '../words/card.ts';
import { wordsForState } from '../words/messages.ts';
import { NOTICES } from '../words/request-form.ts';
import { draftOf } from './draft.ts';
import { draftFromCard } from './draft-from-card.ts';
import { TITLE_MAX } from './fields.ts';
import { type CompleteDeps, completeForm, fillForm } from './fill-form.ts';
import { buildLoadingView, buildNoticeView } from './modal.ts';
import { formIdOf } from './shown-form.ts';
import { readForm, removeOldest, saveForm } from './unfinished.ts';

export type FormOpening = {
  client: SlackClient;
  channelId?: string | undefined;
  /** The text after the command. */
  typed?: string | undefined;
  /** What the form is filled with. */
  draft?: FormDraft | undefined;
};

/**
 * A new form as a modal. From cached lists it opens complete; otherwise it opens loading, or without
 * brands, and is completed once the service answers.
 */
export function formModal(
  deps: CompleteDeps,
  { client, channelId, typed, draft }: FormOpening,
): ModalToOpen {
  const formId = randomUUID();
  const isPrefilled = draft !== undefined;
  const form = {
    formId,
    channelId,
    isNew: true,
    isPrefilled,
    draft: draft ?? draftFromTyped(typed),
  };
  return {
    loading: buildLoadingView(formId),
    isForm: true,
    // With a "Try again" button that keeps what was typed.
    async notice(text, { workspaceId, userId }) {
      await saveForm(deps, workspaceId, userId, form);
      return buildNoticeView(text, { retry: true, formId });
    },
    async fill(user, modal) {
      await fillForm(deps, client, user, modal, form);
      await removeOldest(deps, user.workspaceId, user.person.id);
    },
  };
}

/**
 * The text after the command becomes the title. If it is too long, the whole text also becomes the
 * description.
 */
function draftFromTyped(typed: string | undefined): FormDraft {
  const text = typed?.trim();
  if (!text) return {};
  return text.length <= TITLE_MAX
    ? { title: text }
    : { title: text.slice(0, TITLE_MAX).toWellFormed(), description: plainTextToRichText(text) };
}

/** The form with the text after a misused subcommand. */
export const typedTextModal = (
  deps: CompleteDeps,
  { action, body, client }: ActionArgs,
): ModalToOpen =>
  formModal(deps, {
    client,
    channelId: body.channel?.id,
    typed: pressedValue(action),
  });

/** The form filled with an earlier request, which anyone who sees its message may repeat. */
export function requestAgainModal(
  deps: CompleteDeps,
  { action, body, client }: ActionArgs,
): ModalToOpen {
  const requestId = pressedValue(action);
  const channelId = channelOf({ body });
  return {
    loading: buildLoadingView(),
    notice: (text) => buildNoticeView(text),
    async fill(user, modal) {
      const request = requestId ? await deps.requests.get(user.workspaceId, requestId) : undefined;
      if (!request) {
        await modal.draw(buildNoticeView(NOTICES.requestDeleted));
        return;
      }
      // Everything but the day, which has passed.
      const { neededBy: _passed, ...draft } = draftOf(request.form);
      await formModal(deps, { client, channelId, draft }).fill(user, modal);
    },
  };
}

/** The form filled with a card, whoever requested that. */
export function cardAgainModal(
  deps: CompleteDeps & Pick<SlackDeps, 'cards'>,
  { action, body, client }: ActionArgs,
): ModalToOpen {
  const cardId = pressedValue(action);
  const channelId = channelOf({ body });
  return {
    loading: buildLoadingView(),
    notice: (text) => buildNoticeView(text),
    async fill(user, modal) {
      await modal.load();
      const read = async () => {
        const lists = await deps.referenceLists.formOptions(user.workspaceId);
        const reading = await deps.cards.read(user.workspaceId, cardId ?? '', { class: 'person' });
        return 'card' in reading ? draftFromCard(reading.card, lists) : SHARE.gone;
      };
      const actor = { client, workspaceId: user.workspaceId, userId: user.person.id };
      const draft = await read().catch((error) => explainServiceError(deps, actor, error));
      if (typeof draft === 'string') await modal.draw(buildNoticeView(draft));
      else await formModal(deps, { client, channelId, draft }).fill(user, modal);
    },
  };
}

/** A form that was closed. */
export function continueModal(deps: CompleteDeps, { action, client }: ActionArgs): ModalToOpen {
  const formId = pressedValue(action) ?? '';
  return {
    loading: buildLoadingView(),
    notice: (text) => buildNoticeView(text),
    async fill(user, modal) {
      const saved = await deps.unfinishedForms.get(user.workspaceId, user.person.id, formId);
      if (saved) await fillForm(deps, client, user, modal, { ...saved, isContinued: true });
      else await modal.draw(buildNoticeView(NOTICES.notSavedAnyMore));
    },
  };
}

/** The form of a refused request with everything that was typed. */
export function reopenModal(deps: CompleteDeps, { action, client }: ActionArgs): ModalToOpen {
  const formId = pressedValue(action) ?? '';
  return {
    loading: buildLoadingView(),
    notice: (text) => buildNoticeView(text),
    async fill(user, modal) {
      const { workspaceId, person } = user;
      const request = await deps.requests.get(workspaceId, formId);
      const form = await readForm(deps, workspaceId, person.id, formId);
      if (request?.state === 'rejected' && form) {
        await fillForm(deps, client, user, modal, form);
        return;
      }
      const isAuthor = request?.userId === person.id;
      const why = isAuthor ? wordsForState(request) : NOTICES.notYourRequest;
      await modal.draw(buildNoticeView(why));
    },
  };
}

/** "Try again" in a form that couldn't be loaded. */
export async function onRetryLoading(deps: CompleteDeps, args: ActionArgs): Promise<void> {
  const { body, client, context } = args;
  if (!body.view) return;
  const formId = formIdOf(body.view);
  const { id: viewId, hash } = body.view;
  const view = await updateView(client, { viewId, hash, view: buildLoadingView(formId) });
  // Pressed twice or closed: someone else updates it, or nobody needs it.
  if (!view) return;
  const workspaceId = workspaceOf(context);
  await completeForm(deps, client, { workspaceId, userId: body.user.id, formId, view });
}
