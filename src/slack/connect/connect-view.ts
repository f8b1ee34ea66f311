import type { KnownBlock, ModalView } from '@slack/types';
import type { ApiKeyRecord } from '../../store/api-keys.ts';
import { escapeCode } from '../text/escape.ts';

export const CONNECT_VIEW = 'connect';
export const CONNECT_TITLE = 'Connect';
export const KEY_BLOCK = 'api-key';
export const KEY_INPUT = 'key';

/** Longer than any key that is likely, in characters. */
const KEY_MAX = 500;

/** Asks for the API key. A key that is kept is never shown again but for its last characters. */
export function buildConnectView(props: {
  current: ApiKeyRecord | undefined;
  /** Why the last one was not kept. */
  problem?: string;
}): ModalView {
  const { current, problem } = props;
  const problemBlock: KnownBlock[] = problem
    ? [{ type: 'section', text: { type: 'mrkdwn', text: `:warning: ${problem}`, verbatim: true } }]
    : [];
  return {
    type: 'modal',
    callback_id: CONNECT_VIEW,
    title: { type: 'plain_text', text: CONNECT_TITLE },
    submit: { type: 'plain_text', text: 'Connect' },
    close: { type: 'plain_text', text: 'Cancel' },
    blocks: [
      ...problemBlock,
      {
        type: 'section',
        text: { type: 'mrkdwn', text: describeKey(current), verbatim: true },
      },
      {
        type: 'input',
        block_id: KEY_BLOCK,
        label: { type: 'plain_text', text: 'API key' },
        hint: {
          type: 'plain_text',
          text: 'In your design service’s dashboard: account settings → integration tab. It is checked, kept encrypted, and never shown again.',
        },
        element: { type: 'plain_text_input', action_id: KEY_INPUT, max_length: KEY_MAX },
      },
    ],
  };
}

export function describeKey(current: ApiKeyRecord | undefined): string {
  switch (current?.state) {
    case 'active':
      return `This workspace is connected${ending(current)}. A new key replaces that one.`;
    case 'rejected':
      return `Your design service no longer accepts the key${ending(current)}. Requests wait for a new one.`;
    default:
      return 'This workspace is not connected to your design service yet.';
  }
}

export const ending = ({ lastFour }: ApiKeyRecord): string =>
  lastFour ? ` (key ending in \`${escapeCode(lastFour)}\`)` : '';
