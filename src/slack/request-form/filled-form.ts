import { isDeepStrictEqual } from 'node:util';
import { asOffered } from '../../requests/match-lists.ts';
import type { FormDraft } from '../../requests/request.ts';
import type { UnfinishedForm } from '../../requests/unfinished-forms.ts';
import { isUnlisted } from '../../service/cache/reference-lists.ts';
import { isDirectMessage } from '../client/direct-messages.ts';
import { plainTextToRichText, wordsOf } from '../text/rich-text-to-html.ts';
import { FORM_FIELDS } from './fields.ts';
import {
  asRichText,
  chosenType,
  type FieldName,
  type FormContext,
  isEmpty,
  type ListsWithDefaults,
} from './form-field.ts';
import { choiceOf, optionValue } from './options.ts';
import { draftIn, fieldsAmong, type ShownForm, shownTypeOf } from './parse.ts';

/**
 * Fills the empty fields of a form that nobody has seen: the channel, the description's template, the type, and its
 * fields. In one that was open without lists, the type and its fields. Any other stays as its author left it.
 */
export function filledDraft(lists: ListsWithDefaults, form: UnfinishedForm): FormDraft {
  const { isNew, isReturned, isContinued, draft, channelId } = form;
  if (isReturned || isContinued || (!isNew && draft.requestType)) return draft;
  const { requestTypes } = lists.options;
  const { requestType, brief, shareIn } = lists.suggestionsFor();
  const [suggested] = requestType.flatMap((id) => requestTypes.filter((type) => type.id === id));
  const onlyType = requestTypes.length === 1 && !isUnlisted(lists.options) && requestTypes[0];
  const type = draft.requestType ?? suggested ?? onlyType;
  const filled = { ...draft };
  if (isNew) {
    const here = channelId && !isDirectMessage(channelId) ? channelId : undefined;
    if (!('shareIn' in draft)) filled.shareIn = shareIn[0] ?? here;
    if (brief[0]) filled.description ??= plainTextToRichText(brief[0]);
  }
  if (type) filled.requestType = { id: type.id, name: type.name };
  return fillFieldsOfType({ ...lists, draft: filled });
}

function fillFieldsOfType(context: ListsWithDefaults & { draft: FormDraft }): FormDraft {
  const suggestions = context.suggestionsFor(chosenType(context)?.id);
  let { draft } = context;
  for (const { name, suggest } of FORM_FIELDS) {
    if (isEmpty(draft[name]))
      draft = { ...draft, ...suggest?.(suggestions, { ...context, draft }) };
  }
  return draft;
}

/** Empties the fields that still have what was suggested for an earlier type. */
function withoutSuggested(
  draft: FormDraft,
  lists: ListsWithDefaults,
  requestType: FormDraft['requestType'],
): FormDraft {
  const suggested = fillFieldsOfType({ ...lists, draft: { requestType } });
  const kept = { ...draft };
  for (const { name, section } of FORM_FIELDS) {
    if (section === 'type' && isDeepStrictEqual(kept[name], suggested[name])) delete kept[name];
  }
  return kept;
}

/** Whether a form's fields, shown or hidden, belong to another request type than the chosen one. */
export function isForOtherType(context: FormContext, view: ShownForm, stored: FormDraft): boolean {
  const type = chosenType(context);
  if (!type || isUnlisted(context.options)) return false;
  const { requestType: storedFor = type } = stored;
  return optionValue(type.id) !== shownTypeOf(view) || storedFor.id !== type.id;
}

/** After a change. Another type brings its suggestions, and empties what it doesn't offer. */
export function changedForm(view: ShownForm, lists: ListsWithDefaults, stored: UnfinishedForm) {
  const draft = draftIn(view, lists, stored.draft);
  const visible = [...fieldsAmong(view.blocks)];
  const changed = { ...stored, draft, visible, isTyped: stored.isTyped || isTyped(draft, stored) };
  const chosen = chosenType({ ...lists, draft });
  // The types that the shown fields and the hidden ones are for.
  const shown = choiceOf(lists.options.requestTypes, shownTypeOf(view) ?? '');
  const drawnFor = [shown, chosenType({ ...lists, draft: stored.draft })];
  const earlierTypes = drawnFor.filter((type) => type?.id !== chosen?.id);
  if (earlierTypes.length === 0) return changed;
  const own = earlierTypes.reduce(
    (kept, requestType) => withoutSuggested(kept, lists, requestType),
    draft,
  );
  const earlier = { ...stored.earlier };
  for (const type of earlierTypes) if (type) earlier[type.id] = choicesOf(own);
  // If the view already shows the chosen type, its fields are as their author left them.
  const again = chosen?.id !== shown?.id && chosen && earlier[chosen.id];
  const offered = onlyOffered({ ...lists, draft: { ...own, ...again } });
  return {
    ...changed,
    earlier,
    draft: fillFieldsOfType({ ...lists, draft: offered }),
    // An empty field may get a value from the new type, and be hidden.
    visible: visible.filter((name) => !isEmpty(offered[name as FieldName])),
  };
}

/** The values of fields that are menus for some types, and texts for others. */
const choicesOf = (draft: FormDraft): FormDraft =>
  Object.fromEntries(
    FORM_FIELDS.filter(({ name, offeredByType }) => offeredByType && !isEmpty(draft[name])).map(
      ({ name }) => [name, draft[name]],
    ),
  );

/** A form with only these isn't worth keeping. */
const NOT_WORTH_KEEPING: readonly FieldName[] = ['requestType', 'isDraft', 'shareIn'];

/** Whether a form contains anything but what the app drew, which is stored. */
export const isTyped = (draft: FormDraft, drawn: UnfinishedForm): boolean =>
  FORM_FIELDS.some(
    ({ name }) =>
      !isEmpty(draft[name]) &&
      !NOT_WORTH_KEEPING.includes(name) &&
      !isDeepStrictEqual(contentOf(draft[name]), contentOf(drawn.draft[name])),
  );

/** What a value says: names in any order, and a rich text however Slack divides it into sections. */
function contentOf(value: FormDraft[FieldName]): unknown {
  if (Array.isArray(value)) return value.map((one) => JSON.stringify(one)).toSorted();
  return typeof value === 'object' && 'elements' in value ? wordsOf(asRichText(value)) : value;
}

/** Whether the sent form contains everything that was typed in the draft. */
export function isContained(draft: FormDraft, sent: FormDraft): boolean {
  return FORM_FIELDS.every(({ name, choices }) => {
    if (choices || NOT_WORTH_KEEPING.includes(name) || isEmpty(draft[name])) return true;
    const [one, other] = [contentOf(draft[name]), contentOf(sent[name])];
    if (typeof one === 'string' && typeof other === 'string') {
      const text = one.trim().toLowerCase();
      return name === 'title' ? text === other.toLowerCase() : other.toLowerCase().includes(text);
    }
    return isDeepStrictEqual(one, other);
  });
}

/** The draft, with only what the chosen type offers, as the service spells it. */
export function onlyOffered(context: FormContext): FormDraft {
  let { draft } = context;
  for (const { name, offeredByType } of FORM_FIELDS) {
    const value = draft[name];
    if (!offeredByType || isEmpty(value)) continue;
    const offered = asOffered(offeredByType(context), [value].flat().map(String));
    draft = { ...draft, [name]: Array.isArray(value) ? offered : offered[0] };
  }
  return draft;
}
