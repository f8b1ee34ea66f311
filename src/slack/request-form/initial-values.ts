import type { ViewOutput } from '@slack/bolt';
import { z } from 'zod';
import type { ViewValues } from '../views/view-values.ts';

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
export function initialValues(blocks: ViewOutput['blocks']): ViewValues {
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
      } as ViewValues[string][string],
    };
  }
  return values;
}
