import type { ViewStateValue } from '@slack/bolt';
import type { KnownBlock, ModalView, RichTextBlock } from '@slack/types';
import { plainText, section } from '../text/blocks.ts';
import { clip, MODAL_TITLE_MAX } from '../text/limits.ts';
import { CANCEL, CLOSE } from '../words/modal.ts';

type ModalProps = {
  title: string;
  /** The label of its button that submits; undefined if there is nothing to submit. */
  submit?: string;
  callbackId?: string | undefined;
  metadata?: string | undefined;
  blocks: KnownBlock[];
};

export const buildModal = (props: ModalProps): ModalView => ({
  type: 'modal',
  ...(props.callbackId === undefined ? {} : { callback_id: props.callbackId }),
  ...(props.metadata === undefined ? {} : { private_metadata: props.metadata }),
  title: plainText(clip(props.title, MODAL_TITLE_MAX)),
  ...(props.submit === undefined ? {} : { submit: plainText(props.submit) }),
  close: plainText(props.submit === undefined ? CLOSE : CANCEL),
  blocks: props.blocks,
});

/** A modal with a text, and with nothing to submit. */
export const buildNotice = ({
  text,
  blocks = [],
  ...props
}: Omit<ModalProps, 'submit' | 'blocks'> & { text: string; blocks?: KnownBlock[] }): ModalView =>
  buildModal({ ...props, blocks: [section(text), ...blocks] });

/**
 * The value of one field. For an empty field, Slack may omit the entry or the value, or send null
 * or an empty value; Bolt's type lacks the null of rich text.
 */
export type FieldValue = Omit<ViewStateValue, 'rich_text_value'> & {
  rich_text_value?: RichTextBlock | null;
};

/** `view.state.values`: the fields by block ID and action ID. */
export type ViewValues = Record<string, Record<string, FieldValue>>;
