import { isDeepStrictEqual } from 'node:util';
import type { RichTextBlock } from '@slack/types';
import { z } from 'zod';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { FormOptions } from '../../service/cache/reference-lists.ts';
import type { UnfinishedForm } from '../../store/unfinished-forms.ts';
import type { SlackDeps } from '../deps.ts';
import { type ClosedViewArgs, workspaceOf } from '../listener/replies.ts';
import { inlineElements } from '../text/rich-text-elements.ts';
import type { FieldName, FormContext, FormDraft } from './draft.ts';
import { asRichText } from './elements.ts';
import { FORM_FIELDS } from './fields.ts';
import { type Defaults, fillNewForm } from './fill-defaults.ts';
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

type SaveDeps = Pick<
  SlackDeps,
  'unfinishedForms' | 'defaultsOfForms' | 'partnerName' | 'now' | 'log'
>;

const NOTHING_KNOWN: FormOptions = { requestTypes: [], brands: undefined };

/**
 * Saves what a form contains. Never rejects: the form works without it.
 *
 * @param form.options the lists that it was filled with, as far as they are known
 */
export async function saveUnfinished(
  deps: SaveDeps,
  workspaceId: WorkspaceId,
  metadata: FormMetadata,
  { draft, options = NOTHING_KNOWN }: { draft: FormDraft; options?: FormOptions | undefined },
): Promise<void> {
  const { formId, userId, channelId, isExpanded } = metadata;
  if (userId === undefined) return;
  const form: Unfinished = { draft, channelId, isExpanded };
  try {
    const { partnerName, defaultsOfForms } = deps;
    // If they can't be read, nobody knows what was filled in, and nothing may be lost.
    const defaults = await defaultsOfForms.ofOpenForm(workspaceId, metadata).catch(() => undefined);
    if (defaults && !isWorthKeeping({ options, partnerName, draft }, defaults)) return;
    await deps.unfinishedForms.save(workspaceId, userId, { formId, form }, deps.now());
  } catch (error) {
    deps.log.warn({ err: error, workspace: workspaceId }, 'could not save an unfinished form');
  }
}

/** Whether anything was entered or attached that the app hadn't filled in. */
function isWorthKeeping(context: FormContext, defaults: Defaults): boolean {
  const { draft } = context;
  // Chosen in passing: alone, they aren't worth keeping.
  const { requestType, isDraft, shareIn } = draft;
  const filled = fillNewForm({ ...context, draft: { requestType, isDraft, shareIn } }, defaults);
  return FORM_FIELDS.some(
    ({ name }) =>
      !isEmpty(draft[name]) && !isDeepStrictEqual(contentOf(draft[name]), contentOf(filled[name])),
  );
}

/** What a value says: names in any order, and a rich text however it is divided into sections. */
function contentOf(value: FormDraft[FieldName]): unknown {
  if (Array.isArray(value)) return value.map((one) => JSON.stringify(one)).toSorted();
  return typeof value === 'object' && 'elements' in value ? wordsOf(asRichText(value)) : value;
}

const wordsOf = (rich: RichTextBlock) =>
  inlineElements(rich)
    .map((element) => ('text' in element ? element.text : element.type))
    .join('')
    .split(/\s+/)
    .join(' ')
    .trim();

/** Saves a form that was closed, if Slack says what was in it; otherwise its last redraw stays saved. */
export async function onFormClosed(
  deps: SaveDeps & Pick<SlackDeps, 'referenceLists'>,
  { view, body, context, ack }: ClosedViewArgs,
): Promise<void> {
  await ack();
  const values = view.state?.values;
  if (!values || Object.keys(values).length === 0) return;
  const workspaceId = workspaceOf(context);
  const metadata = { ...readMetadata(view.private_metadata), userId: body.user.id };
  const { referenceLists, partnerName } = deps;
  const cached = await referenceLists.cachedFormOptions(workspaceId).catch(() => undefined);
  const options = cached ?? NOTHING_KNOWN;
  const draft = readDraft(values, { options, partnerName }, metadata.hidden);
  await saveUnfinished(deps, workspaceId, metadata, { draft, options });
}
