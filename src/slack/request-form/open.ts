import { randomUUID } from 'node:crypto';
import type { ModalView } from '@slack/types';
import type { FormOptions } from '../../catalogue/catalogue.ts';
import type { DesignRequest } from '../../requests/request.ts';
import type { WorkspaceId } from '../../workspaces/workspace-id.ts';
import type { SlackDeps } from '../deps.ts';
import { wordsForAnyTrouble } from '../service-trouble.ts';
import type { SlackClient } from '../slack-client.ts';
import { plainTextToRichText } from '../text/rich-text-to-html.ts';
import { type ShownView, updateView } from '../views/update-view.ts';
import { KEY_REJECTED, NOT_CONNECTED } from '../wording.ts';
import { letBrandsFollow } from './brands-follow.ts';
import type { FormDraft } from './draft.ts';
import { TITLE_MAX } from './fields.ts';
import type { FormMetadata } from './metadata.ts';
import { buildFormView, buildLoadingView, buildNoticeView } from './modal.ts';
import { buildRefusedForm } from './result-view.ts';

export type FormDeps = Pick<
  SlackDeps,
  'keys' | 'catalogue' | 'channelBrands' | 'partnerName' | 'log'
>;

export type OpenFormInput = {
  client: SlackClient;
  triggerId: string;
  workspaceId: WorkspaceId;
  channelId?: string | undefined;
  /** What was typed after the command. */
  typed?: string | undefined;
};

/**
 * Opens the form, within the three seconds of the trigger: nothing remote stands before `views.open`.
 * With what is in memory it opens complete; else it opens loading, or without its brands, and is
 * completed when the service has answered.
 */
export async function openForm(deps: FormDeps, input: OpenFormInput): Promise<void> {
  const { client, triggerId, workspaceId, channelId, typed } = input;
  const metadata: FormMetadata = { formId: randomUUID(), channelId, typed };
  const key = await deps.keys.describe(workspaceId);
  if (key?.state !== 'active') {
    const why = key?.state === 'rejected' ? KEY_REJECTED : NOT_CONNECTED;
    await client.views.open({ trigger_id: triggerId, view: buildNoticeView(why) });
    return;
  }
  const options = await deps.catalogue.peekFormOptions(workspaceId);
  if (options) {
    const draw = (now: FormOptions) => fillForm(deps, workspaceId, metadata, now);
    const opened = await client.views.open({ trigger_id: triggerId, view: await draw(options) });
    return letBrandsFollow(deps, client, { workspaceId, options, shown: opened.view, draw });
  }
  const opened = await client.views.open({
    trigger_id: triggerId,
    view: buildLoadingView(metadata),
  });
  await completeForm(deps, client, { workspaceId, metadata, view: opened.view });
}

/** Turns a loading form into the form, or into words that say why not, with a button to try again. */
export async function completeForm(
  deps: FormDeps,
  client: SlackClient,
  input: {
    workspaceId: WorkspaceId;
    metadata: FormMetadata;
    view: ShownView | undefined;
    /** The request that the form was sent as, where it was refused. */
    returned?: DesignRequest | undefined;
  },
): Promise<void> {
  const { workspaceId, metadata, view: shown, returned: request } = input;
  const { partnerName } = deps;
  if (!shown?.id) throw new Error('views.open named no view');
  const view = await deps.catalogue
    .formOptions(workspaceId)
    .then((options) =>
      request
        ? buildRefusedForm({ request, options, partnerName })
        : fillForm(deps, workspaceId, metadata, options),
    )
    .catch((error: unknown) =>
      buildNoticeView(wordsForAnyTrouble(deps.log, error), { retry: true, metadata }),
    );
  await updateView(client, { viewId: shown.id, hash: shown.hash, view });
}

async function fillForm(
  deps: FormDeps,
  workspaceId: WorkspaceId,
  metadata: FormMetadata,
  options: FormOptions,
): Promise<ModalView> {
  const { channelId, typed } = metadata;
  const remembered = channelId && (await deps.channelBrands.get(workspaceId, channelId));
  const brand = options.brands?.find(({ id }) => id === remembered);
  const draft: FormDraft = { ...draftFromTyped(typed), brand };
  return buildFormView({ options, draft, metadata, partnerName: deps.partnerName });
}

/** What was typed is the title; where it is too long for one, the whole of it begins the description. */
function draftFromTyped(typed: string | undefined): FormDraft {
  const text = typed?.trim();
  if (!text) return {};
  return text.length <= TITLE_MAX
    ? { title: text }
    : { title: text.slice(0, TITLE_MAX).toWellFormed(), description: plainTextToRichText(text) };
}
