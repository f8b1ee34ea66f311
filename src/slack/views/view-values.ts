import type { ViewStateValue } from '@slack/bolt';
import type { RichTextBlock } from '@slack/types';

/**
 * The value of one field. For an empty field, Slack may omit the entry or the value, or send null
 * or an empty value; Bolt's type lacks the null of rich text.
 */
export type FieldValue = Omit<ViewStateValue, 'rich_text_value'> & {
  rich_text_value?: RichTextBlock | null;
};

/** `view.state.values`: the fields by block ID and action ID. */
export type ViewValues = Record<string, Record<string, FieldValue>>;
