import type { KnownBlock, ModalView } from '@slack/types';
import { section } from '../text/blocks.ts';
import { clip, MODAL_TITLE_MAX } from '../text/limits.ts';
import { CLOSE } from '../words/modal.ts';

/** A modal with only a text. */
export function buildNotice(props: {
  title: string;
  text: string;
  blocks?: KnownBlock[];
  callbackId?: string | undefined;
  metadata?: string | undefined;
}): ModalView {
  const { title, text, blocks = [], callbackId, metadata } = props;
  return {
    type: 'modal',
    ...(callbackId === undefined ? {} : { callback_id: callbackId }),
    ...(metadata === undefined ? {} : { private_metadata: metadata }),
    title: { type: 'plain_text', text: clip(title, MODAL_TITLE_MAX) },
    close: { type: 'plain_text', text: CLOSE },
    blocks: [section(text), ...blocks],
  };
}
