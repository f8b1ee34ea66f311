import type { ViewOutput } from '@slack/bolt';
import { z } from 'zod';
import type { FormDraft } from '../../requests/request.ts';
import { UNLISTED_TYPE } from '../../service/cache/reference-lists.ts';
import type { FieldValue, ViewValues } from '../surface/views.ts';
import type { FormContext } from './draft.ts';
import type { FormField } from './form-field.ts';
import { FORM_ACTIONS, REQUEST_TYPE_INPUT } from './ids.ts';
import { shortDigest } from './options.ts';

/** A view of the form, as Slack sends it with whatever happens in it. */
export type ShownForm = Pick<ViewOutput, 'private_metadata' | 'blocks' | 'state'>;
type Blocks = ShownForm['blocks'];

const metadata = z.object({ formId: z.string().min(1).max(64) });

/** What a view carries along. Everything else is stored under this ID. */
export const metadataOf = (formId: string): string => JSON.stringify({ formId });

/** @throws if the view isn't of a form; Slack returns its metadata unchanged */
export const formIdOf = (view: Pick<ShownForm, 'private_metadata'>): string =>
  metadata.parse(JSON.parse(view.private_metadata)).formId;

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
  return `${field.name}${SEPARATOR}${shortDigest(names)}${kind}`;
}

/** Whether its suggested value depends on the type, and its menu doesn't. */
export const isSuggestedByType = ({ section, offeredByType }: FormField): boolean =>
  section === 'type' && !offeredByType;

/** The end of the action ID of a field's list of attached files. */
export const LIST_SUFFIX = '.attached';

/** The fields that a view shows, even empty ones, which Slack may leave out of its values. */
export const fieldsAmong = (blocks: Blocks): ReadonlySet<string> =>
  new Set(
    blocks.flatMap((block) =>
      'element' in block && block.element && 'action_id' in block.element
        ? (block.element.action_id?.replace(LIST_SUFFIX, '') ?? [])
        : [],
    ),
  );

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

/**
 * The option value of the request type that a view has the fields of; undefined if none was chosen. What is stored may
 * be for another one, if a redraw was stored that Slack hasn't shown.
 */
export function shownTypeOf(blocks: Blocks): string | undefined {
  if (!fieldsAmong(blocks).has(REQUEST_TYPE_INPUT)) return UNLISTED_TYPE;
  const inputs = Object.values(initialValues(blocks));
  const initial = inputs.find((input) => input[REQUEST_TYPE_INPUT])?.[REQUEST_TYPE_INPUT];
  return initial?.selected_option?.value;
}

/** Whether a view hides fields, whose values are only in the stored form. */
export const hidesFields = (blocks: Blocks): boolean =>
  JSON.stringify(blocks).includes(`"action_id":"${FORM_ACTIONS.moreOptions}"`);

/** Of the stored values, those of the fields that a view doesn't show. */
export function hiddenIn(blocks: Blocks, stored: FormDraft): FormDraft {
  const shown = fieldsAmong(blocks);
  return Object.fromEntries(Object.entries(stored).filter(([name]) => !shown.has(name)));
}

const option = z.object({ value: z.string(), text: z.object({ text: z.string() }) });
const drawnInput = z.object({
  block_id: z.string(),
  element: z.object({
    type: z.string(),
    action_id: z.string(),
    initial_value: z.unknown().optional(),
    initial_option: option.optional(),
    initial_options: z.array(option).optional(),
    initial_date: z.string().optional(),
    initial_conversation: z.string().optional(),
  }),
});

/** What a view's inputs contained when the app drew it, as Slack would report it. */
export function initialValues(blocks: Blocks): ViewValues {
  const values: ViewValues = {};
  for (const block of blocks) {
    const { data } = drawnInput.safeParse(block);
    if (!data) continue;
    const { type, action_id, initial_value: text, ...initial } = data.element;
    values[data.block_id] = {
      [action_id]: {
        type,
        ...(type === 'rich_text_input' ? { rich_text_value: text } : { value: text }),
        selected_option: initial.initial_option ?? null,
        ...(initial.initial_options ? { selected_options: initial.initial_options } : {}),
        selected_date: initial.initial_date ?? null,
        selected_conversation: initial.initial_conversation ?? null,
      } as FieldValue,
    };
  }
  return values;
}
