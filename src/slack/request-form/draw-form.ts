import type { ModalView } from '@slack/types';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { DesignRequest, FormDraft } from '../../requests/request.ts';
import type { FormOptions } from '../../service/cache/reference-lists.ts';
import type { SlackDeps } from '../deps.ts';
import { plainTextToRichText } from '../text/rich-text-to-html.ts';
import { TITLE_MAX } from './fields.ts';
import { brandHereOf, fillNewForm } from './fill-defaults.ts';
import type { FormMetadata } from './metadata.ts';
import { buildFormView } from './modal.ts';
import { choiceOf } from './options.ts';
import { buildRefusedForm } from './result-view.ts';
import { offersAmong, readUnfinished } from './unfinished.ts';

export type DrawDeps = Pick<
  SlackDeps,
  'requests' | 'defaultsOfForms' | 'unfinishedForms' | 'formFiles' | 'partnerName'
>;

/**
 * A new form, with the text after the command, what was saved of it, and defaults. Offers to continue a form that the
 * person closed.
 *
 * @param start what to fill it with, unless it was saved
 */
export async function drawNewForm(
  deps: Omit<DrawDeps, 'requests'>,
  workspaceId: WorkspaceId,
  metadata: FormMetadata,
  { options, start = {} }: { options: FormOptions; start?: FormDraft | undefined },
): Promise<ModalView> {
  const { unfinishedForms, partnerName } = deps;
  const { userId, formId, typed, shownType, hidden, isContinued } = metadata;
  const [files, defaults, saved] = await Promise.all([
    deps.formFiles.of(workspaceId),
    deps.defaultsOfForms.read(workspaceId, metadata),
    userId === undefined ? [] : unfinishedForms.of(workspaceId, userId),
  ]);
  const own = saved.find((form) => form.formId === formId);
  const others = saved.filter((form) => form.formId !== formId);
  const isNew = own === undefined && Object.keys(start).length === 0 && shownType === undefined;
  const given: FormDraft = {
    ...draftFromTyped(typed),
    ...start,
    // Neither saved forms nor metadata say that it is empty.
    ...(isContinued || shownType !== undefined ? { shareIn: undefined } : {}),
    ...(own ? readUnfinished(own).draft : {}),
    ...hidden,
    ...(shownType === undefined ? {} : { requestType: choiceOf(options.requestTypes, shownType) }),
  };
  // What its author left empty stays empty.
  const isAsLeft = isContinued && own !== undefined;
  const draft = isAsLeft ? given : fillNewForm({ options, partnerName, draft: given }, defaults);
  return buildFormView({
    options,
    partnerName,
    files,
    draft,
    metadata,
    brandHere: brandHereOf(defaults),
    focus: draft.title === undefined ? 'title' : 'description',
    unfinished: isNew ? offersAmong(others) : [],
  });
}

/** The form of a refused request, with what its author has changed since. */
export async function drawRefusedForm(
  { unfinishedForms, formFiles, partnerName }: Omit<DrawDeps, 'requests' | 'defaultsOfForms'>,
  request: DesignRequest,
  options: FormOptions,
  noPostsIn?: string,
): Promise<ModalView> {
  const { id, workspaceId, userId } = request;
  const [files, saved] = await Promise.all([
    formFiles.of(workspaceId),
    unfinishedForms.of(workspaceId, userId),
  ]);
  // Sending it deleted what was saved before.
  const own = saved.find(({ formId }) => formId === id);
  const corrected = own && readUnfinished(own);
  return buildRefusedForm({ request, options, partnerName, files, noPostsIn, corrected });
}

/**
 * Draws a form from its metadata. A refused request comes with everything that was typed; Slack
 * keeps what was typed since in fields that are still shown.
 */
export async function drawForm(
  deps: DrawDeps,
  workspaceId: WorkspaceId,
  metadata: FormMetadata,
  options: FormOptions,
): Promise<ModalView> {
  const isTypeChosen = metadata.shownType !== undefined;
  const request = isTypeChosen ? undefined : await deps.requests.get(workspaceId, metadata.formId);
  return request?.state === 'rejected'
    ? drawRefusedForm(deps, request, options, metadata.noPostsIn)
    : drawNewForm(deps, workspaceId, metadata, { options });
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
