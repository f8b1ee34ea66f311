import { randomUUID } from 'node:crypto';
import type { FormDraft } from '../../requests/request.ts';
import type { FormOptions } from '../../service/cache/reference-lists.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import { explainServiceError } from '../listener/explain.ts';
import type { ModalToOpen } from '../listener/open-modal.ts';
import { type ActionArgs, channelOf, pressedValue, workspaceOf } from '../listener/replies.ts';
import { updateView } from '../views/update-view.ts';
import { SHARE } from '../words/card.ts';
import { wordsForState } from '../words/messages.ts';
import { NOTICES } from '../words/request-form.ts';
import { draftOf } from './draft.ts';
import { draftFromCard } from './draft-from-card.ts';
import { drawNewForm, drawRefusedForm } from './draw-form.ts';
import { type CompleteDeps, completeForm, fillForm } from './fill-form.ts';
import { type FormMetadata, readMetadata } from './metadata.ts';
import { buildLoadingView, buildNoticeView } from './modal.ts';
import { readUnfinished, saveUnfinished } from './unfinished.ts';

export type FormOpening = {
  client: SlackClient;
  channelId?: string | undefined;
  /** The text after the command. */
  typed?: string | undefined;
  /** What the form is filled with. */
  draft?: FormDraft | undefined;
  /** For a form that was saved and is continued. */
  formId?: string | undefined;
  isExpanded?: boolean | undefined;
};

/**
 * The form as a modal. From cached lists it opens complete; otherwise it opens loading, or without
 * brands, and is completed once the service answers.
 */
export function formModal(deps: CompleteDeps, opening: FormOpening): ModalToOpen {
  const { client, channelId, typed, draft, formId = randomUUID(), isExpanded } = opening;
  const isContinued = opening.formId !== undefined;
  const metadata: FormMetadata = { formId, channelId, typed, isExpanded, isContinued };
  return {
    loading: buildLoadingView(metadata),
    isForm: true,
    // With a "Try again" button that keeps what was typed.
    notice: (text) => buildNoticeView(text, { retry: true, metadata }),
    async fill({ workspaceId, person }, modal) {
      const own = { ...metadata, userId: person.id };
      if (draft) await saveUnfinished(deps, workspaceId, own, { draft, isTyped: false });
      const draw = async (options: FormOptions, noPostsIn?: string) => {
        const admin = options.withoutKey
          ? await deps.knownAdminToAsk(workspaceId, person)
          : undefined;
        const drawn = { ...own, admin, noPostsIn };
        return drawNewForm(deps, workspaceId, drawn, { options, start: draft });
      };
      await fillForm(deps, client, modal, { workspaceId, metadata: own, draw });
    },
  };
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
  const formId = pressedValue(action);
  return {
    loading: buildLoadingView(),
    notice: (text) => buildNoticeView(text),
    async fill(user, modal) {
      const saved = await deps.unfinishedForms.of(user.workspaceId, user.person.id);
      const found = saved.find((form) => form.formId === formId);
      if (!found) {
        await modal.draw(buildNoticeView(NOTICES.notSavedAnyMore));
        return;
      }
      const { channelId, isExpanded } = readUnfinished(found);
      await formModal(deps, { client, channelId, isExpanded, formId }).fill(user, modal);
    },
  };
}

/** The form of a refused request with everything that was typed. */
export function reopenModal(deps: CompleteDeps, { action, client }: ActionArgs): ModalToOpen {
  const requestId = pressedValue(action);
  return {
    loading: buildLoadingView(),
    notice: (text) => buildNoticeView(text),
    async fill({ workspaceId, person }, modal) {
      const request = requestId ? await deps.requests.get(workspaceId, requestId) : undefined;
      const isAuthor = request?.userId === person.id;
      if (!request || !isAuthor || request.state !== 'rejected') {
        const why = isAuthor ? wordsForState(request) : NOTICES.notYourRequest;
        await modal.draw(buildNoticeView(why));
        return;
      }
      const draw = (options: FormOptions, noPostsIn?: string) =>
        drawRefusedForm(deps, request, options, noPostsIn);
      const metadata = { formId: request.id };
      await fillForm(deps, client, modal, { workspaceId, metadata, draw });
    },
  };
}

/** "Try again" in a form that couldn't be loaded. */
export async function onRetryLoading(deps: CompleteDeps, args: ActionArgs): Promise<void> {
  const { body, client, context } = args;
  if (!body.view) return;
  const metadata = { ...readMetadata(body.view.private_metadata), userId: body.user.id };
  const { id: viewId, hash } = body.view;
  const view = await updateView(client, { viewId, hash, view: buildLoadingView(metadata) });
  // Pressed twice or closed: someone else updates it, or nobody needs it.
  if (!view) return;
  await completeForm(deps, client, { workspaceId: workspaceOf(context), metadata, view });
}
