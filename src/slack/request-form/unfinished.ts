import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { FormDraft, RequestForm } from '../../requests/request.ts';
import type { UnfinishedForm } from '../../requests/unfinished-forms.ts';
import type { FormOptions } from '../../service/cache/reference-lists.ts';
import type { SlackDeps } from '../deps.ts';
import { type ClosedViewArgs, workspaceOf } from '../listener/replies.ts';
import { wordsOf } from '../text/rich-text-elements.ts';
import type { FieldName, FormContext } from './draft.ts';
import { asRichText } from './elements.ts';
import { FORM_FIELDS } from './fields.ts';
import { isEmpty } from './form-field.ts';
import { initialValues } from './initial-values.ts';
import { type FormMetadata, readMetadata } from './metadata.ts';
import { readDraft } from './parse.ts';

/** What is needed to show an unfinished form where the person left off. */
const unfinished = z.object({
  draft: z.custom<FormDraft>((value) => typeof value === 'object'),
  channelId: z.string().optional().catch(undefined),
  isExpanded: z.boolean().optional().catch(undefined),
  /** Whether anything was entered in the form itself, rather than with the command or from a card or message. */
  isTyped: z.boolean().default(true).catch(true),
  /** Whether the service refused it, so that its request is offered instead. */
  isReturned: z.boolean().optional().catch(undefined),
});
export type Unfinished = z.infer<typeof unfinished>;

export const readUnfinished = ({ form }: UnfinishedForm): Unfinished => unfinished.parse(form);

/** A form that its author can continue or discard. */
export type Offer = { formId: string; title: string | undefined };

/** How many are offered at the same time, which a view has room for. */
export const OFFERS_MAX = 10;

/** The forms to offer, the newest first. */
export const offersAmong = (saved: readonly UnfinishedForm[]): Offer[] =>
  saved.flatMap((one) => {
    const { draft, isTyped, isReturned } = readUnfinished(one);
    return isTyped && !isReturned ? [{ formId: one.formId, title: draft.title }] : [];
  });

type SaveDeps = Pick<SlackDeps, 'unfinishedForms' | 'now' | 'log'>;

/** Saves what a form contains. Never rejects: the form works without it. */
export async function saveUnfinished(
  deps: SaveDeps,
  workspaceId: WorkspaceId,
  metadata: FormMetadata,
  { draft, isTyped }: Pick<Unfinished, 'draft' | 'isTyped'>,
): Promise<void> {
  const { formId, userId, channelId, isExpanded, isReturned } = metadata;
  if (userId === undefined) return;
  const { unfinishedForms } = deps;
  try {
    const saved = isTyped ? [] : await unfinishedForms.of(workspaceId, userId);
    const before = saved.find((one) => one.formId === formId);
    const wasTyped = before !== undefined && readUnfinished(before).isTyped;
    const form = { draft, channelId, isExpanded, isTyped: isTyped || wasTyped, isReturned };
    await unfinishedForms.save(workspaceId, userId, { formId, form }, deps.now());
  } catch (error) {
    deps.log.warn({ err: error, workspace: workspaceId }, 'could not save an unfinished form');
  }
}

/** Chosen in passing: alone, they aren't worth keeping. */
const IN_PASSING: readonly FieldName[] = ['requestType', 'isDraft', 'shareIn'];

/** Whether a view contains anything else than what the app drew. */
export function isTypedIn(
  { state, blocks }: Pick<ClosedViewArgs['view'], 'state' | 'blocks'>,
  context: Omit<FormContext, 'draft'>,
): boolean {
  const drawn = readDraft(initialValues(blocks), context);
  const draft = readDraft(state?.values ?? {}, context);
  return FORM_FIELDS.some(
    ({ name }) =>
      !isEmpty(draft[name]) &&
      !IN_PASSING.includes(name) &&
      !isDeepStrictEqual(contentOf(draft[name]), contentOf(drawn[name])),
  );
}

/** What a value says: names in any order, and a rich text however it is divided into sections. */
function contentOf(value: FormDraft[FieldName]): unknown {
  if (Array.isArray(value)) return value.map((one) => JSON.stringify(one)).toSorted();
  return typeof value === 'object' && 'elements' in value ? wordsOf(asRichText(value)) : value;
}

/** Deletes a sender's unfinished forms that say nothing that the request doesn't say. Never rejects. */
export async function removeSent(
  deps: SaveDeps,
  workspaceId: WorkspaceId,
  userId: string,
  sent: RequestForm,
): Promise<void> {
  const { unfinishedForms, log } = deps;
  try {
    for (const one of await unfinishedForms.of(workspaceId, userId)) {
      const { draft, isTyped } = readUnfinished(one);
      if (!isTyped || !isContained(draft, sent)) continue;
      await unfinishedForms.remove(workspaceId, userId, one.formId);
    }
  } catch (error) {
    log.warn({ err: error, workspace: workspaceId }, 'could not delete a form that was sent');
  }
}

/** Whether all that one form contains is in the other, apart from choices of a menu. */
function isContained(draft: FormDraft, sent: FormDraft): boolean {
  return FORM_FIELDS.every(({ name, choices }) => {
    if (choices || IN_PASSING.includes(name) || isEmpty(draft[name])) return true;
    const [one, other] = [contentOf(draft[name]), contentOf(sent[name])];
    if (typeof one === 'string' && typeof other === 'string') {
      const text = one.trim().toLowerCase();
      return name === 'title' ? text === other.toLowerCase() : other.toLowerCase().includes(text);
    }
    return isDeepStrictEqual(one, other);
  });
}

/** Saves a form that was closed, if Slack says what was in it; otherwise its last redraw stays saved. */
export async function onFormClosed(
  deps: SaveShownDeps,
  { view, body, context, ack }: ClosedViewArgs,
): Promise<void> {
  await ack();
  if (Object.keys(view.state?.values ?? {}).length === 0) return;
  await saveShown(deps, workspaceOf(context), body.user.id, view);
}

type SaveShownDeps = SaveDeps & Pick<SlackDeps, 'referenceLists' | 'partnerName'>;

/**
 * Saves what a form shows.
 *
 * @returns its metadata
 */
export async function saveShown(
  deps: SaveShownDeps,
  workspaceId: WorkspaceId,
  userId: string,
  view: Pick<ClosedViewArgs['view'], 'state' | 'blocks' | 'private_metadata'>,
): Promise<FormMetadata> {
  const metadata = { ...readMetadata(view.private_metadata), userId };
  const { referenceLists, partnerName } = deps;
  const cached = await referenceLists.cachedFormOptions(workspaceId).catch(() => undefined);
  const form = { options: cached ?? NOTHING_KNOWN, partnerName };
  const draft = readDraft(view.state?.values ?? {}, form, metadata.hidden);
  await saveUnfinished(deps, workspaceId, metadata, { draft, isTyped: isTypedIn(view, form) });
  return metadata;
}

const NOTHING_KNOWN: FormOptions = { requestTypes: [], brands: undefined };
