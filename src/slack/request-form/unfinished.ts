import type { RichTextBlock } from '@slack/types';
import { z } from 'zod';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { suggestionsFrom } from '../../requests/form-defaults.ts';
import type { UnfinishedForm } from '../../store/unfinished-forms.ts';
import type { SlackDeps } from '../deps.ts';
import { type ClosedViewArgs, workspaceOf } from '../listener/replies.ts';
import { inlineElements } from '../text/rich-text-elements.ts';
import { plainTextToRichText } from '../text/rich-text-to-html.ts';
import type { FieldName, FormDraft } from './draft.ts';
import { asRichText } from './elements.ts';
import { FORM_FIELDS } from './fields.ts';
import { isEmpty } from './form-field.ts';
import { type FormMetadata, readMetadata } from './metadata.ts';
import { readDraft } from './parse.ts';

/** What is needed to show an unfinished form where the person left off. */
const unfinished = z.object({
  draft: z.custom<FormDraft>((value) => typeof value === 'object'),
  channelId: z.string().optional(),
  isExpanded: z.boolean().optional(),
});
export type Unfinished = z.infer<typeof unfinished>;

export const readUnfinished = ({ form }: UnfinishedForm): Unfinished => unfinished.parse(form);

type SaveDeps = Pick<SlackDeps, 'unfinishedForms' | 'defaultsOfForms' | 'now' | 'log'>;

/** Saves what a form contains. Never rejects: the form works without it. */
export async function saveUnfinished(
  deps: SaveDeps,
  workspaceId: WorkspaceId,
  metadata: FormMetadata,
  draft: FormDraft,
): Promise<void> {
  const { formId, userId, channelId, isExpanded } = metadata;
  if (userId === undefined) return;
  const form: Unfinished = { draft, channelId, isExpanded };
  try {
    if (!(await isWorthKeeping(deps, workspaceId, metadata, draft))) return;
    await deps.unfinishedForms.save(workspaceId, userId, { formId, form }, deps.now());
  } catch (error) {
    deps.log.warn({ err: error, workspace: workspaceId }, 'could not save an unfinished form');
  }
}

/** Chosen in passing, or filled in by the app: alone, they aren't worth keeping. */
const CHOICES: ReadonlySet<FieldName> = new Set(['requestType', 'isDraft', 'shareIn']);
/** Worth keeping if it has any value. The description and the sizes may be those that were suggested. */
const ENTERED = FORM_FIELDS.filter(
  ({ name, suggest }) => !suggest && !CHOICES.has(name) && name !== 'description',
);

/** Whether anything was entered or attached: not the description's template, and not the suggested sizes. */
async function isWorthKeeping(
  { defaultsOfForms }: SaveDeps,
  workspaceId: WorkspaceId,
  metadata: FormMetadata,
  draft: FormDraft,
): Promise<boolean> {
  if (ENTERED.some(({ name }) => !isEmpty(draft[name]))) return true;
  const { requestType, description, dimensions } = draft;
  if (!description && !dimensions) return false;
  const { stored, place } = await defaultsOfForms.ofOpenForm(workspaceId, metadata);
  const suggested = suggestionsFrom(stored, place, requestType?.id);
  const [template] = suggested.brief;
  const isTemplate =
    !description || (template !== undefined && isText(asRichText(description), template));
  return !isTemplate || (dimensions !== undefined && !suggested.dimensions.includes(dimensions));
}

/** Whether rich text says the same as plain text, however it is divided into sections. */
const isText = (rich: RichTextBlock, plain: string) =>
  wordsOf(rich) === wordsOf(plainTextToRichText(plain));

const wordsOf = (rich: RichTextBlock) =>
  inlineElements(rich)
    .map((element) => ('text' in element ? element.text : element.type))
    .join('')
    .split(/\s+/)
    .join(' ')
    .trim();

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
  const cached = await referenceLists.cachedFormOptions(workspaceId).catch(() => undefined);
  const options = cached ?? { requestTypes: [], brands: undefined };
  const draft = readDraft(values, { options, partnerName }, metadata.hidden);
  await saveUnfinished(deps, workspaceId, metadata, draft);
}
