import type { ModalView } from '@slack/types';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { FormDraft } from '../../requests/request.ts';
import type { UnfinishedForm } from '../../requests/unfinished-forms.ts';
import type { FormOptions } from '../../service/cache/reference-lists.ts';
import type { SlackDeps } from '../deps.ts';
import { asDrawn } from './changed-form.ts';
import type { FormContext } from './draft.ts';
import { brandHereOf, type Defaults, fillNewForm, readDefaults } from './fill-defaults.ts';
import { buildFormView } from './modal.ts';
import { refusalFor } from './result-view.ts';
import { offersAmong } from './unfinished.ts';

export type DrawDeps = Pick<
  SlackDeps,
  'requests' | 'formDefaults' | 'unfinishedForms' | 'formFiles' | 'partnerName'
>;

/**
 * Draws a stored form: a new one with defaults and with what its author closed before, one that was closed as it was
 * left, and a refused one with what is wrong.
 *
 * @returns the view, and the form as it is drawn, to be stored
 */
export async function drawForm(
  deps: DrawDeps,
  workspaceId: WorkspaceId,
  userId: string,
  form: UnfinishedForm,
  options: FormOptions,
): Promise<{ view: ModalView; form: UnfinishedForm }> {
  const { isNew, isPrefilled, isReturned, isContinued, formId, channelId } = form;
  const { partnerName, unfinishedForms } = deps;
  const [files, defaults, saved, returned] = await Promise.all([
    deps.formFiles.of(workspaceId),
    readDefaults(deps.formDefaults, workspaceId, userId, { channelId }),
    isNew && !isPrefilled ? unfinishedForms.of(workspaceId, userId) : [],
    isReturned ? deps.requests.get(workspaceId, formId) : undefined,
  ]);
  const lists = { options, partnerName, files, brandHere: brandHereOf(defaults) };
  const draft =
    isReturned || isContinued
      ? form.draft
      : filledDraft({ ...lists, draft: form.draft }, isNew, defaults);
  const view = buildFormView({
    ...lists,
    ...form,
    draft,
    focus: returned ? undefined : draft.title === undefined ? 'title' : 'description',
    unfinished: offersAmong(saved),
    ...refusalFor(returned, { ...lists, draft }),
  });
  const drawn = { ...form, draft, isNew: false, defaults: [...defaults.stored] };
  return { view, form: asDrawn(lists, drawn) };
}

/** What its author left empty stays empty, except for the brand, which may be known only now. */
function filledDraft(
  context: FormContext,
  isNew: boolean | undefined,
  defaults: Defaults,
): FormDraft {
  const { draft } = context;
  if (isNew) return fillNewForm(context, defaults);
  const filled = fillNewForm({ ...context, draft: { shareIn: undefined, ...draft } }, defaults);
  return draft.requestType ? { ...draft, brand: draft.brand ?? filled.brand } : filled;
}
