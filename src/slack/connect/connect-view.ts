import type { KnownBlock, ModalView } from '@slack/types';
import type { ApiKeyRecord } from '../../store/api-keys.ts';
import { escapeCode } from '../text/escape.ts';

export const CONNECT_VIEW = 'connect';
export const CONNECT_TITLE = 'Connect';
export const KEY_BLOCK = 'api-key';
export const KEY_INPUT = 'key';
export const SHARE_BLOCK = 'for-organisation';
export const SHARE_INPUT = 'share';

/** Longer than any key that is likely, in characters. */
const KEY_MAX = 500;

/** Asks for the API key. A key that is kept is never shown again but for its last characters. */
export function buildConnectView(props: {
  current: ApiKeyRecord | undefined;
  /** Why the last one was not kept. */
  problem?: string;
  /** Whether the reader may connect the key for the whole organisation. */
  mayShare: boolean;
}): ModalView {
  const { current, problem, mayShare } = props;
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
      ...(mayShare ? [SHARE_CHOICE] : []),
    ],
  };
}

const SHARE_CHOICE: KnownBlock = {
  type: 'input',
  block_id: SHARE_BLOCK,
  optional: true,
  label: { type: 'plain_text', text: 'Where it is used' },
  element: {
    type: 'checkboxes',
    action_id: SHARE_INPUT,
    options: [
      {
        value: 'organisation',
        text: {
          type: 'plain_text',
          text: 'In all workspaces of the organisation without a key of their own',
        },
      },
    ],
  },
};

function describeKey(current: ApiKeyRecord | undefined): string {
  switch (current?.state) {
    case 'active':
      if (current.ofOrganisation !== undefined) {
        return `This workspace works with your organisation’s key${ending(current)}. A key of its own replaces that one here.`;
      }
      return `This workspace is connected${ending(current)}. A new key replaces that one.`;
    case 'rejected':
      return `Your design service no longer accepts the key${ending(current)}. Requests wait for a new one.`;
    default:
      return 'This workspace is not connected to your design service yet.';
  }
}

export const ending = ({ lastFour }: ApiKeyRecord): string =>
  lastFour ? ` (key ending in \`${escapeCode(lastFour)}\`)` : '';
