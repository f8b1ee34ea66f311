import type { FormDraft } from '../../requests/request.ts';
import type { UnfinishedForm } from '../../requests/unfinished-forms.ts';
import type { ViewValues } from '../views/view-values.ts';
import { blockIdOf, fieldValue } from './block-ids.ts';
import type { FormContext } from './draft.ts';
import { FORM_FIELDS } from './fields.ts';

type EarlierChoices = NonNullable<UnfinishedForm['earlier']>;

/** Adds the current values, before the form is drawn for another type. */
export function rememberChoices(
  earlier: EarlierChoices,
  values: ViewValues,
  context: FormContext,
): EarlierChoices {
  const remembered = { ...earlier };
  for (const field of FORM_FIELDS) {
    const found = field.offeredByType && fieldValue(field, values);
    if (found) remembered[found.blockId] = field.read(found.value, context);
  }
  return remembered;
}

/** Puts the values last chosen for this type back into the draft. */
export function restoreChoices(earlier: EarlierChoices, context: FormContext): FormDraft {
  let { draft } = context;
  for (const field of FORM_FIELDS) {
    if (field.offeredByType) draft = { ...draft, ...earlier[blockIdOf(field, context)] };
  }
  return draft;
}
