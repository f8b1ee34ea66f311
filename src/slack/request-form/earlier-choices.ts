import { z } from 'zod';
import type { ViewValues } from '../views/view-values.ts';
import { blockIdOf, fieldValue } from './blocks-of-fields.ts';
import type { FormContext, FormDraft } from './draft.ts';
import { FORM_FIELDS } from './fields.ts';

/**
 * What stood in the fields whose values the type decides, by block id. Slack forgets a block that
 * leaves the form, so whoever tries another type and comes back would have to choose again.
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

/** Adds what stands in those fields now, before they are drawn for another type. */
export function rememberChoices(
  earlier: EarlierChoices,
  values: ViewValues,
  context: FormContext,
): EarlierChoices {
  const remembered = { ...earlier };
  for (const field of FORM_FIELDS) {
    const found = field.listed && fieldValue(field, values);
    if (found)
      remembered[found.blockId] = earlierChoices.valueType.parse(field.read(found.value, context));
  }
  return remembered;
}

/** The draft with what stood in the fields of its type when they were last in the form. */
export function withEarlier(earlier: EarlierChoices, context: FormContext): FormDraft {
  let { draft } = context;
  for (const field of FORM_FIELDS) {
    if (field.listed) draft = { ...draft, ...earlier[blockIdOf(field, context)] };
  }
  return draft;
}
