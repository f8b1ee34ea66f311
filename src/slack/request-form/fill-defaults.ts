import { isDeepStrictEqual } from 'node:util';
import {
  type FormOrigin,
  type StoredChoices,
  suggestionsFrom,
} from '../../requests/form-defaults.ts';
import type { FormDraft } from '../../requests/request.ts';
import { isDirectMessage } from '../client/direct-messages.ts';
import { plainTextToRichText } from '../text/rich-text-to-html.ts';
import { chosenType, type FormContext, type FormLists, isUnlisted } from './draft.ts';
import { FORM_FIELDS } from './fields.ts';
import { isEmpty } from './form-field.ts';

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

/** The ID of the brand that somebody last chose in the channel. */
export const brandHereOf = ({ stored, origin }: Defaults): string | undefined =>
  suggestionsFrom(stored, origin, undefined).brandHere;

/** Fills the empty fields of the chosen type. */
export function fillFieldsOfType(context: FormContext, { stored, origin }: Defaults): FormDraft {
  const suggestions = suggestionsFrom(stored, origin, chosenType(context)?.id);
  let { draft } = context;
  for (const { name, suggest } of FORM_FIELDS) {
    if (isEmpty(draft[name]))
      draft = { ...draft, ...suggest?.(suggestions, { ...context, draft }) };
  }
  return draft;
}

/** Empties the fields that still have what was suggested for the previous type. */
export function withoutSuggested(
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
