import { createHash } from 'node:crypto';
import type { ViewOutput } from '@slack/bolt';
import type { FieldValue, ViewValues } from '../views/view-values.ts';
import type { FormContext } from './draft.ts';
import type { FormField } from './form-field.ts';

const DIGEST_HEX_DIGITS = 12;
const SEPARATOR = '@';

/**
 * Slack keeps what was typed while block and action IDs stay the same. So the ID of a field whose
 * menu depends on the request type contains a digest of that menu: the value is kept between types
 * that offer the same, and reset otherwise.
 */
export function blockIdOf(field: FormField, context: FormContext): string {
  // The values of the form that this one replaced must not stay.
  const kind = context.isContinued ? `${SEPARATOR}continued` : '';
  if (context.resets && isSuggestedByType(field))
    return `${field.name}${SEPARATOR}${context.resets}${kind}`;
  const names = (field.offeredByType ?? field.resetBy)?.(context);
  // An input that nothing has reset yet keeps its plain ID.
  if (!names || (field.resetBy && names.length === 0)) return field.name + kind;
  const offered = JSON.stringify(names);
  const digest = createHash('sha256').update(offered).digest('hex').slice(0, DIGEST_HEX_DIGITS);
  return `${field.name}${SEPARATOR}${digest}${kind}`;
}

/** Whether its suggested value depends on the type, and its menu doesn't. */
export const isSuggestedByType = ({ section, offeredByType }: FormField): boolean =>
  section === 'type' && !offeredByType;

/** The fields that a view shows, even empty ones, which Slack may leave out of its values. */
export const fieldsAmong = (blocks: ViewOutput['blocks']): ReadonlySet<string> =>
  new Set(
    blocks.flatMap((block) =>
      'element' in block && block.element && 'action_id' in block.element
        ? (block.element.action_id?.replace(LIST_SUFFIX, '') ?? [])
        : [],
    ),
  );

/** Of the action ID of a field's list of attached files. */
export const LIST_SUFFIX = '.attached';

/** The fields with an entry in a view's values. */
export const fieldsIn = (values: ViewValues): ReadonlySet<string> =>
  new Set(Object.values(values).flatMap(Object.keys));

/** The current value of a field, under any of its block IDs. */
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
