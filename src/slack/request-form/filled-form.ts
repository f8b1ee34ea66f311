import { isDeepStrictEqual } from 'node:util';
import {
  type FormOrigin,
  type StoredChoices,
  suggestionsFrom,
} from '../../requests/form-defaults.ts';
import { asOffered, findNamed } from '../../requests/match-lists.ts';
import type { FormDraft } from '../../requests/request.ts';
import type { UnfinishedForm } from '../../requests/unfinished-forms.ts';
import { isDirectMessage } from '../client/direct-messages.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import { plainTextToRichText } from '../text/rich-text-to-html.ts';
import { FORM } from '../words/request-form.ts';
import {
  chosenType,
  type FieldName,
  type FormContext,
  type FormLists,
  isUnlisted,
} from './draft.ts';
import { FORM_FIELDS } from './fields.ts';
import { isEmpty } from './form-field.ts';
import { choiceOf, optionValue, shownNameOf } from './options.ts';
import { draftIn } from './parse.ts';
import {
  blockIdOf,
  fieldsAmong,
  fieldValue,
  hidesFields,
  isSuggestedByType,
  type ShownForm,
  shownTypeOf,
} from './shown-form.ts';

// What a form is filled with, and what it contains after a change.

/** What forms of a person in a channel are filled with. */
export type Defaults = { stored: readonly StoredChoices[]; origin: FormOrigin };

/** Fills the empty fields of a new form: the type, the description's template, and the fields of the type. */
export function fillNewForm(context: FormContext, defaults: Defaults): FormDraft {
  const { options, draft } = context;
  const { origin, stored } = defaults;
  const { requestType, brief, shareIn } = suggestionsFrom(stored, origin, undefined);
  const { requestTypes } = options;
  const [suggested] = requestType.flatMap(
    (id) => requestTypes.find((type) => type.id === id) ?? [],
  );
  const onlyType = requestTypes.length === 1 && !isUnlisted(options) ? requestTypes[0] : undefined;
  const type = draft.requestType ?? suggested ?? onlyType;
  const { channelId } = origin;
  const here = channelId && !isDirectMessage(channelId) ? channelId : undefined;
  const text = draft.description ?? (brief[0] ? plainTextToRichText(brief[0]) : undefined);
  return fillFieldsOfType(
    {
      ...context,
      draft: {
        shareIn: shareIn[0] ?? here,
        ...draft,
        ...(type ? { requestType: { id: type.id, name: type.name } } : {}),
        ...(text ? { description: text } : {}),
      },
    },
    defaults,
  );
}

export const brandHereOf = ({ stored, origin }: Defaults): string | undefined =>
  suggestionsFrom(stored, origin, undefined).brandHere;

/** Fills the empty fields of the chosen type. */
function fillFieldsOfType(context: FormContext, { stored, origin }: Defaults): FormDraft {
  const suggestions = suggestionsFrom(stored, origin, chosenType(context)?.id);
  let { draft } = context;
  for (const { name, suggest } of FORM_FIELDS) {
    if (isEmpty(draft[name]))
      draft = { ...draft, ...suggest?.(suggestions, { ...context, draft }) };
  }
  return draft;
}

/** Empties the fields that still have what was suggested for the previous type. */
function withoutSuggested(
  draft: FormDraft,
  previous: FormLists & Pick<FormDraft, 'requestType'>,
  defaults: Defaults,
): FormDraft {
  const { requestType, ...context } = previous;
  const suggested = fillFieldsOfType({ ...context, draft: { requestType } }, defaults);
  const kept = { ...draft };
  for (const { name, section } of FORM_FIELDS) {
    if (section === 'type' && isDeepStrictEqual(kept[name], suggested[name])) delete kept[name];
  }
  return kept;
}

/**
 * Why a form can't be sent as it is drawn: its fields, or what is stored of those that it hides, belong to another
 * request type than the chosen one, or to one that had another name, such as that of another account with the same ID.
 */
export function outdatedNotice(
  context: FormContext,
  blocks: ShownForm['blocks'],
  stored: FormDraft,
): string | undefined {
  const type = chosenType(context);
  if (!type || isUnlisted(context.options)) return undefined;
  if (optionValue(type.id) !== shownTypeOf(blocks)) return FORM.typeChanged;
  const { requestType: drawnFor = type } = stored;
  if (drawnFor.id !== type.id) return hidesFields(blocks) ? FORM.typeChanged : undefined;
  const name = shownNameOf(type);
  return shownNameOf(drawnFor) === name ? undefined : FORM.typeRenamed(escapeMrkdwn(name));
}

/** The fields whose menus depend on the request type. */
const CHOICES = FORM_FIELDS.filter(({ offeredByType }) => offeredByType !== undefined);

/**
 * What a form contains after a change. For another type, suggested values follow it, and what it doesn't offer is
 * emptied.
 */
export function changedForm(
  view: ShownForm,
  lists: FormLists,
  stored: UnfinishedForm,
  defaults: Defaults,
): UnfinishedForm {
  const { requestTypes } = lists.options;
  const draft = draftIn(view, lists, stored.draft);
  const visible = [...fieldsAmong(view.blocks)];
  const chosen = chosenType({ ...lists, draft });
  // Of the shown fields, and of the hidden ones.
  const drawnFor = [
    choiceOf(requestTypes, shownTypeOf(view.blocks) ?? ''),
    chosenType({ ...lists, draft: stored.draft }),
  ];
  const earlierTypes = drawnFor.filter((type) => type?.id !== chosen?.id);
  if (earlierTypes.length === 0) return { ...stored, draft, visible };
  const earlier = { ...stored.earlier };
  for (const field of CHOICES) {
    const found = fieldValue(field, view.state.values);
    if (found) earlier[found.blockId] = field.read(found.value, { ...lists, draft });
  }
  const own = earlierTypes.reduce(
    (kept, requestType) => withoutSuggested(kept, { ...lists, requestType }, defaults),
    draft,
  );
  // What was chosen for this type before.
  const context = { ...lists, ...stored, draft: own };
  const again = { ...own };
  for (const field of CHOICES) Object.assign(again, earlier[blockIdOf(field, context)]);
  const restored = onlyOffered({ ...lists, draft: again });
  const filled = fillFieldsOfType({ ...lists, draft: restored }, defaults);
  // Slack keeps a value while its block's ID stays the same.
  const isReset = FORM_FIELDS.some(
    (field) =>
      isSuggestedByType(field) && !isDeepStrictEqual(draft[field.name], filled[field.name]),
  );
  return {
    ...stored,
    draft: filled,
    earlier,
    resets: (stored.resets ?? 0) + Number(isReset),
    // An empty field may get a value from the new type, and be hidden.
    visible: visible.filter((name) => !isEmpty(restored[name as FieldName])),
  };
}

/**
 * The draft, with only what the chosen type and the brands offer, as the service spells it. A brand may have been typed
 * while none were known.
 */
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
