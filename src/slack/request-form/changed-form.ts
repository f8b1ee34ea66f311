import { isDeepStrictEqual } from 'node:util';
import { asOffered, findNamed } from '../../requests/match-lists.ts';
import type { FormDraft } from '../../requests/request.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import type { ViewValues } from '../views/view-values.ts';
import { FORM } from '../words/request-form.ts';
import { isSuggestedByType } from './block-ids.ts';
import { chosenType, type FieldName, type FormContext, isUnlisted } from './draft.ts';
import { rememberChoices, restoreChoices } from './earlier-choices.ts';
import { FORM_FIELDS } from './fields.ts';
import { type Defaults, fillFieldsOfType, withoutSuggested } from './fill-defaults.ts';
import { isEmpty } from './form-field.ts';
import type { FormMetadata } from './metadata.ts';
import { choiceOf, optionValue, shownNameOf } from './options.ts';
import { readDraft } from './parse.ts';

/**
 * Why a form can't be sent as it is drawn: for the type that was chosen before, or for one that had another name, such as
 * that of another account with the same ID.
 *
 * @returns words; undefined if the chosen type is what the form shows, or isn't listed
 */
export function whyOutdated(
  context: FormContext,
  { shownType, shownTypeName }: FormMetadata,
): string | undefined {
  const type = chosenType(context);
  if (!type) return undefined;
  if (optionValue(type.id) !== shownType) return FORM.typeChanged;
  // A form that an earlier version opened has no name.
  const isSameName = shownTypeName === undefined || shownTypeName === shownNameOf(type);
  return isSameName ? undefined : FORM.typeRenamed(escapeMrkdwn(shownNameOf(type)));
}

/**
 * What a form shows after a change. For another type, suggested values follow it, and what it doesn't offer is emptied.
 *
 * @param values what the view contains
 * @param visible the fields that it shows, which stay visible while they have a value
 * @param metadata its metadata
 * @param defaults what the form was filled with; read only if the type changed
 */
export async function changedForm(
  { values, visible }: { values: ViewValues; visible: ReadonlySet<string> },
  form: Omit<FormContext, 'draft'>,
  metadata: FormMetadata,
  defaults: () => Defaults | Promise<Defaults>,
): Promise<{ draft: FormDraft; metadata: FormMetadata; visible: ReadonlySet<string> }> {
  const draft = readDraft(values, form, metadata.hidden);
  const before = choiceOf(form.options.requestTypes, metadata.shownType ?? '');
  if (before?.id === draft.requestType?.id) return { draft, metadata, visible };
  const earlier = rememberChoices(metadata.earlier ?? {}, values, { ...form, draft });
  const suggested = await defaults();
  const own = withoutSuggested(draft, { ...form, requestType: before }, suggested);
  const restored = onlyOffered({
    ...form,
    draft: restoreChoices(earlier, { ...form, draft: own }),
  });
  const filled = fillFieldsOfType({ ...form, draft: restored }, suggested);
  // Slack keeps a value while its block's ID stays the same.
  const isReset = FORM_FIELDS.some(
    (field) =>
      isSuggestedByType(field) && !isDeepStrictEqual(draft[field.name], filled[field.name]),
  );
  const resets = (metadata.resets ?? 0) + Number(isReset);
  return {
    draft: filled,
    metadata: { ...metadata, earlier, resets },
    // An empty field may get a value from the new type, and be hidden.
    visible: new Set([...visible].filter((name) => !isEmpty(restored[name as FieldName]))),
  };
}

/** What the chosen type and the brands offer, as the service spells it; a brand may have been typed before any was known. */
export function onlyOffered(context: FormContext): FormDraft {
  const { options } = context;
  let { draft } = context;
  for (const { name, offeredByType } of FORM_FIELDS) {
    const value = draft[name];
    if (!offeredByType || isEmpty(value)) continue;
    const offered = asOffered(offeredByType(context), [value].flat().map(String));
    draft = { ...draft, [name]: Array.isArray(value) ? offered : offered[0] };
  }
  const { brand } = draft;
  if (brand?.id !== '' || isUnlisted(options)) return draft;
  return { ...draft, brand: findNamed(options.brands ?? [], brand) };
}
