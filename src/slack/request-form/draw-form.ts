import type { ModalView } from '@slack/types';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { FormOptions } from '../../service/cache/catalogue.ts';
import type { SlackDeps } from '../deps.ts';
import { plainTextToRichText } from '../text/rich-text-to-html.ts';
import type { FormDraft } from './draft.ts';
import { TITLE_MAX } from './fields.ts';
import type { FormMetadata } from './metadata.ts';
import { buildFormView } from './modal.ts';
import { choiceOf } from './options.ts';
import { buildRefusedForm } from './result-view.ts';

export type DrawDeps = Pick<SlackDeps, 'requests' | 'channelBrands' | 'partnerName'>;

/** A new form, with the text after the command and the channel's last brand. */
export async function drawNewForm(
  { channelBrands, partnerName }: Omit<DrawDeps, 'requests'>,
  workspaceId: WorkspaceId,
  metadata: FormMetadata,
  options: FormOptions,
): Promise<ModalView> {
  const { channelId, typed, shownType } = metadata;
  const remembered = channelId && (await channelBrands.get(workspaceId, channelId));
  const draft: FormDraft = {
    ...draftFromTyped(typed),
    requestType: shownType === undefined ? undefined : choiceOf(options.requestTypes, shownType),
    brand: options.brands?.find(({ id }) => id === remembered),
  };
  return buildFormView({ options, draft, metadata, partnerName });
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
  const { requests, partnerName } = deps;
  const isTypeChosen = metadata.shownType !== undefined;
  const request = isTypeChosen ? undefined : await requests.get(workspaceId, metadata.formId);
  return request?.state === 'rejected'
    ? buildRefusedForm({ request, options, partnerName })
    : drawNewForm(deps, workspaceId, metadata, options);
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
