import { isDeepStrictEqual } from 'node:util';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { FormDraft, RequestForm } from '../../requests/request.ts';
import type { UnfinishedForm } from '../../requests/unfinished-forms.ts';
import type { FormOptions } from '../../service/cache/reference-lists.ts';
import type { SlackDeps } from '../deps.ts';
import { type ClosedViewArgs, workspaceOf } from '../listener/replies.ts';
import { wordsOf } from '../text/rich-text-elements.ts';
import { FORM } from '../words/request-form.ts';
import { draftOf, type FieldName, type FormContext } from './draft.ts';
import { asRichText } from './elements.ts';
import { FORM_FIELDS } from './fields.ts';
import { isEmpty } from './form-field.ts';
import { initialValues } from './initial-values.ts';
import { readDraft } from './parse.ts';
import { draftIn, formIdOf, hidesFields, type ShownForm } from './shown-form.ts';

/** A form that its author can continue or discard. */
export type Offer = { formId: string; title: string | undefined };

/** How many are offered at the same time, which a view has room for. */
export const OFFERS_MAX = 10;

/** The forms to offer, the newest first. */
export const offersAmong = (saved: readonly UnfinishedForm[]): Offer[] =>
  saved.flatMap(({ formId, draft, isTyped, isReturned }) =>
    isTyped && !isReturned ? [{ formId, title: draft.title }] : [],
  );

type ReadDeps = Pick<SlackDeps, 'unfinishedForms' | 'requests'>;

/**
 * Reads a form. Sending it deletes it, and the request has what it contained.
 *
 * @returns undefined if nothing is stored: a day has passed, or it couldn't be saved
 */
export async function readForm(
  { unfinishedForms, requests }: ReadDeps,
  workspaceId: WorkspaceId,
  userId: string,
  formId: string,
): Promise<UnfinishedForm | undefined> {
  const saved = await unfinishedForms.get(workspaceId, userId, formId);
  if (saved) return saved;
  const request = await requests.get(workspaceId, formId);
  if (request?.userId !== userId) return undefined;
  return { formId, draft: draftOf(request.form), isReturned: request.state === 'rejected' };
}

/**
 * Reads the form of a view that is open. If nothing is stored, what it shows is all there is: it goes on with all
 * fields, so that nobody sends what they can't see.
 *
 * @returns also what to tell its author then
 */
export async function readOpenForm(
  deps: ReadDeps,
  workspaceId: WorkspaceId,
  userId: string,
  view: ShownForm,
): Promise<{ form: UnfinishedForm; notice?: string }> {
  const formId = formIdOf(view);
  const form = await readForm(deps, workspaceId, userId, formId);
  if (form) return { form };
  const rest = { formId, draft: {}, isExpanded: true };
  return hidesFields(view.blocks) ? { form: rest, notice: FORM.hiddenLost } : { form: rest };
}

type SaveDeps = Pick<SlackDeps, 'unfinishedForms' | 'now' | 'log'>;

/** Saves a form. Never rejects: what is shown can be sent without it. */
export async function saveForm(
  { unfinishedForms, now, log }: SaveDeps,
  workspaceId: WorkspaceId,
  userId: string,
  form: UnfinishedForm,
): Promise<void> {
  await unfinishedForms
    .save(workspaceId, userId, form, now())
    .catch((error) =>
      log.warn({ err: error, workspace: workspaceId }, 'could not save an unfinished form'),
    );
}

/** Removes a person's oldest forms, after another one was opened. Never rejects. */
export async function removeOldest(
  { unfinishedForms, log }: SaveDeps,
  workspaceId: WorkspaceId,
  userId: string,
): Promise<void> {
  await unfinishedForms
    .removeOldest(workspaceId, userId)
    .catch((error) =>
      log.warn({ err: error, workspace: workspaceId }, 'could not delete old unfinished forms'),
    );
}

/** Chosen in passing: alone, they aren't worth keeping. */
const IN_PASSING: readonly FieldName[] = ['requestType', 'isDraft', 'shareIn'];

/** Whether a view contains anything else than what the app drew. */
export function isTypedIn(
  { state, blocks }: Pick<ShownForm, 'state' | 'blocks'>,
  context: Omit<FormContext, 'draft'>,
): boolean {
  const drawn = readDraft(initialValues(blocks), context);
  const draft = readDraft(state.values, context);
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
    for (const { formId, draft, isTyped } of await unfinishedForms.of(workspaceId, userId)) {
      if (!isTyped || !isContained(draft, sent)) continue;
      await unfinishedForms.remove(workspaceId, userId, formId);
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

type ShownDeps = ReadDeps & SaveDeps & Pick<SlackDeps, 'referenceLists' | 'partnerName'>;

/**
 * If Slack doesn't say what was in a form that was closed, its last redraw stays saved.
 */
export async function onFormClosed(
  deps: ShownDeps,
  { view, body, context }: ClosedViewArgs,
): Promise<void> {
  if (Object.keys(view.state?.values ?? {}).length === 0) return;
  const workspaceId = workspaceOf(context);
  const userId = body.user.id;
  await keepIfTyped(deps, workspaceId, userId, await formIn(deps, workspaceId, userId, view));
}

/** Saves a form that is shown no longer, or deletes it if nothing was typed. */
export const keepIfTyped = (
  deps: SaveDeps,
  workspaceId: WorkspaceId,
  userId: string,
  form: UnfinishedForm,
): Promise<void> =>
  form.isTyped
    ? saveForm(deps, workspaceId, userId, form)
    : deps.unfinishedForms.remove(workspaceId, userId, form.formId);

/** What a view contains now, to save it. */
export async function formIn(
  deps: ShownDeps,
  workspaceId: WorkspaceId,
  userId: string,
  view: ShownForm,
): Promise<UnfinishedForm> {
  const { form } = await readOpenForm(deps, workspaceId, userId, view);
  const { referenceLists, partnerName } = deps;
  const cached = await referenceLists.cachedFormOptions(workspaceId).catch(() => undefined);
  const lists = { options: cached ?? NOTHING_KNOWN, partnerName };
  const isTyped = form.isTyped || isTypedIn(view, lists);
  return { ...form, draft: draftIn(view, lists, form.draft), isTyped };
}

const NOTHING_KNOWN: FormOptions = { requestTypes: [], brands: undefined };
