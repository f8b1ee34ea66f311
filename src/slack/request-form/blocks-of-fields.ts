import { createHash } from 'node:crypto';
import type { FieldValue, ViewValues } from '../views/view-values.ts';
import type { FormContext } from './draft.ts';
import type { FormField } from './fields.ts';

const DIGEST_HEX_DIGITS = 12;
const SEPARATOR = '@';

/**
 * The block id of a field. Slack keeps what was typed as long as block and action ids stay the same,
 * so a field whose values depend on the type carries a digest of them: it is kept between types that
 * offer the same, and starts anew between types that don't.
 */
export function blockIdOf(field: FormField, context: FormContext): string {
  if (!field.listed) return field.name;
  const offered = JSON.stringify(field.listed(context));
  const digest = createHash('sha256').update(offered).digest('hex').slice(0, DIGEST_HEX_DIGITS);
  return `${field.name}${SEPARATOR}${digest}`;
}

/** What stands in a field now, under whichever block id it was drawn. */
export function fieldValue(
  field: FormField,
  values: ViewValues,
): { blockId: string; value: FieldValue } | undefined {
  for (const [blockId, actions] of Object.entries(values)) {
    const value = actions[field.name];
    if (value && blockId.split(SEPARATOR)[0] === field.name) return { blockId, value };
  }
  return undefined;
}
