import { z } from 'zod';
import type { FormDraft } from '../../requests/request.ts';
import type { ViewValues } from '../views/view-values.ts';
import { blockIdOf, fieldValue } from './block-ids.ts';
import type { FormContext } from './draft.ts';
import { FORM_FIELDS } from './fields.ts';

/**
 * The values of fields that depend on the request type, by block ID. Slack drops the values of
 * removed blocks, so without this, switching types back and forth would lose them.
 */
export const earlierChoices = z.record(
  z.string(),
  z.object({
    product: z.string().optional(),
    software: z.string().optional(),
    formats: z.array(z.string()).optional(),
  }),
);
export type EarlierChoices = z.infer<typeof earlierChoices>;

/** Adds the current values, before the form is drawn for another type. */
export function rememberChoices(
  earlier: EarlierChoices,
  values: ViewValues,
  context: FormContext,
): EarlierChoices {
  const remembered = { ...earlier };
  for (const field of FORM_FIELDS) {
    const found = field.offeredByType && fieldValue(field, values);
    if (found)
      remembered[found.blockId] = earlierChoices.valueType.parse(field.read(found.value, context));
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
