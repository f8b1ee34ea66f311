import type { ViewStateValue } from '@slack/bolt';
import type { RichTextBlock } from '@slack/types';

/**
 * What stands in one field. Where nothing does, Slack may leave out the entry or the value, or send null
 * or an empty value; Bolt's type does not know of the null for a rich text.
 */
export type FieldValue = Omit<ViewStateValue, 'rich_text_value'> & {
  rich_text_value?: RichTextBlock | null;
};

/** `view.state.values`: what stands in a view's fields, by block id and action id. */
export type ViewValues = Record<string, Record<string, FieldValue>>;
