import type { KnownBlock, ModalView } from '@slack/types';
import type { ApiKeyRecord } from '../../store/api-keys.ts';
import { plainText, section } from '../text/blocks.ts';
import { buildModal } from '../views/modal.ts';
import { CONNECT, describeKey } from '../words/connect.ts';
import { projectBlocks, projectMetadata, type ShownProject } from './project.ts';

export const CONNECT_VIEW = 'connect';
export const KEY_BLOCK = 'api-key';
export const KEY_INPUT = 'key';
/** Keeps its spelling: a form opened before an update may be sent after it. */
export const SHARE_BLOCK = 'for-organisation';
export const SHARE_INPUT = 'share';

/** Longer than any likely key, in characters. */
const KEY_MAX = 500;

/** Asks for the API key. Of a stored key, only the last characters are shown. */
export function buildConnectView(props: {
  current: ApiKeyRecord | undefined;
  /** Why the last key was not saved. */
  problem?: string;
  projectId: string | undefined;
  shown: ShownProject | undefined;
  /** Whether the person may connect the key for the whole organization. */
  mayShare: boolean;
}): ModalView {
  const { current, problem, projectId, shown, mayShare } = props;
  return buildModal({
    callbackId: CONNECT_VIEW,
    metadata: projectMetadata(shown),
    title: CONNECT.title,
    submit: CONNECT.submit,
    blocks: [
      ...(problem ? [section(`:warning: ${problem}`)] : []),
      section(describeKey(current)),
      {
        type: 'input',
        block_id: KEY_BLOCK,
        label: plainText(CONNECT.keyLabel),
        hint: plainText(CONNECT.keyHint),
        element: { type: 'plain_text_input', action_id: KEY_INPUT, max_length: KEY_MAX },
      },
      ...projectBlocks(projectId),
      ...(mayShare ? [SHARE_CHOICE] : []),
    ],
  });
}

const SHARE_CHOICE: KnownBlock = {
  type: 'input',
  block_id: SHARE_BLOCK,
  optional: true,
  label: plainText(CONNECT.scopeLabel),
  element: {
    type: 'checkboxes',
    action_id: SHARE_INPUT,
    options: [{ value: 'organization', text: plainText(CONNECT.wholeOrganization) }],
  },
};
