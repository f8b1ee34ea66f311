import { z } from 'zod';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { FILE_ROLES } from '../../requests/attached-files.ts';
import type { UnfinishedForm } from '../../store/unfinished-forms.ts';
import type { SlackDeps } from '../deps.ts';
import { type ClosedViewArgs, workspaceOf } from '../listener/replies.ts';
import type { FormDraft } from './draft.ts';
import { type FormMetadata, readMetadata } from './metadata.ts';
import { readDraft } from './parse.ts';

/** What is needed to show an unfinished form where the person left off. */
export type Unfinished = {
  draft: FormDraft;
  channelId?: string | undefined;
  isExpanded?: boolean | undefined;
};

const unfinished = z.object({
  draft: z.custom<FormDraft>((value) => typeof value === 'object'),
  channelId: z.string().optional(),
  isExpanded: z.boolean().optional(),
});

export const readUnfinished = ({ form }: UnfinishedForm): Unfinished => unfinished.parse(form);

type SaveDeps = Pick<SlackDeps, 'unfinishedForms' | 'now' | 'log'>;

/** Saves what a form contains. Never rejects: the form works without it. */
export async function saveUnfinished(
  { unfinishedForms, now, log }: SaveDeps,
  workspaceId: WorkspaceId,
  { formId, userId, channelId, isExpanded }: FormMetadata,
  draft: FormDraft,
): Promise<void> {
  if (userId === undefined || !isWorthKeeping(draft)) return;
  const form: Unfinished = { draft, channelId, isExpanded };
  await unfinishedForms
    .save(workspaceId, userId, { formId, form }, now())
    .catch((error) =>
      log.warn({ err: error, workspace: workspaceId }, 'could not save an unfinished form'),
    );
}

const isWorthKeeping = (draft: FormDraft) => {
  const { title, description, textCopy, references } = draft;
  const texts = [title, description, textCopy, references];
  return [...texts, ...FILE_ROLES.map((role) => draft[role])].some((value) => value !== undefined);
};

/** Saves a form that was closed, if Slack says what was in it; otherwise its last redraw stays saved. */
export async function onFormClosed(
  deps: SaveDeps & Pick<SlackDeps, 'referenceLists' | 'partnerName'>,
  { view, body, context, ack }: ClosedViewArgs,
): Promise<void> {
  await ack();
  const values = view.state?.values;
  if (!values || Object.keys(values).length === 0) return;
  const workspaceId = workspaceOf(context);
  const metadata = { ...readMetadata(view.private_metadata), userId: body.user.id };
  const { referenceLists, partnerName } = deps;
  const known = await referenceLists.knownFormOptions(workspaceId).catch(() => undefined);
  const options = known ?? { requestTypes: [], brands: undefined };
  const draft = readDraft(values, { options, partnerName }, metadata.hidden);
  await saveUnfinished(deps, workspaceId, metadata, draft);
}
