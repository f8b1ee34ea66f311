import type { Button, KnownBlock } from '@slack/types';
import type { Connecting } from '../../installations/connect-key.ts';
import type { OwnerId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { ApiKeyRecord } from '../../store/api-keys.ts';
import type { Administrator } from '../../store/stores.ts';
import type { Homes } from '../home/homes.ts';
import type { AllowedUser } from '../surface/access.ts';
import {
  type ActionArgs,
  type CommandArgs,
  pressedValue,
  replyToCommand,
  sendPrivately,
} from '../surface/replies.ts';
import { button, buttonRow, section } from '../text/blocks.ts';
import { confirmDisconnect, DISCONNECT } from '../words/connect.ts';

export const DISCONNECT_ACTION = 'disconnect';

type DisconnectDeps = { connecting: Connecting; homes: Homes; log: Log };

export type Disconnect = ReturnType<typeof createDisconnect>;

export const createDisconnect = (deps: DisconnectDeps) => ({
  /** `/design-request disconnect`: asks for confirmation, since requests then wait for a new key. */
  async ask(args: CommandArgs, { workspaceId, person }: AllowedUser): Promise<void> {
    const key = await deps.connecting.describe(workspaceId);
    const refusal = refuseShared(person, key);
    if (refusal || !key || key.state === 'disconnected') {
      return replyToCommand(args, refusal ?? DISCONNECT.notConnected);
    }
    const { text, blocks } = confirmation(key);
    await replyToCommand(args, text, blocks);
  },

  /** The confirmation button. */
  async confirm(args: ActionArgs, { workspaceId, person }: AllowedUser): Promise<void> {
    const key = await deps.connecting.describe(workspaceId);
    const refusal = refuseShared(person, key);
    if (!refusal && key && key.state !== 'disconnected' && !asksAbout(args, key)) {
      const { text, blocks } = confirmation(key);
      return replaceQuestion(args, text, blocks);
    }
    const owner = key?.ofOrganization ?? workspaceId;
    const text = refusal ?? (await disconnect(deps, owner, person));
    deps.homes.workspaceChanged(workspaceId);
    await replaceQuestion(args, text);
  },
});

/** The organization's default key also serves other workspaces. */
function refuseShared(
  person: AllowedUser['person'],
  key: ApiKeyRecord | undefined,
): string | undefined {
  return key?.ofOrganization === undefined || person.administers.includes(key.ofOrganization)
    ? undefined
    : DISCONNECT.organizationKey;
}

/** Enough to tell the keys of one owner apart. */
const FINGERPRINT_HEX_DIGITS = 8;

/** Which key was asked about, without revealing it, and whose it is. */
const nameOf = ({ ofOrganization, fingerprint = '' }: ApiKeyRecord): string =>
  `${ofOrganization ?? ''}/${fingerprint.slice(0, FINGERPRINT_HEX_DIGITS)}`;

function confirmation(key: ApiKeyRecord): { text: string; blocks: KnownBlock[] } {
  const text = confirmDisconnect(key);
  const confirm: Button = {
    ...button(DISCONNECT_ACTION, DISCONNECT.button, { style: 'danger', value: nameOf(key) }),
    accessibility_label: DISCONNECT.buttonLabel,
  };
  return { text, blocks: [section(text), ...buttonRow([confirm])] };
}

/** Whether the button is about this key; another may have been connected since. */
const asksAbout = ({ action }: ActionArgs, key: ApiKeyRecord): boolean =>
  pressedValue(action) === nameOf(key);

function replaceQuestion(
  { body, client, respond }: ActionArgs,
  text: string,
  blocks?: KnownBlock[],
): Promise<void> {
  const to = { client, channelId: body.channel?.id, userId: body.user.id };
  const content = { text, ...(blocks ? { blocks } : {}) };
  const preferred = () =>
    respond({ response_type: 'ephemeral', replace_original: true, ...content });
  return sendPrivately(to, text, { blocks, preferred });
}

async function disconnect(
  deps: DisconnectDeps,
  owner: OwnerId,
  by: Administrator,
): Promise<string> {
  if (!(await deps.connecting.disconnect({ owner, by }))) return DISCONNECT.notConnected;
  deps.log.info({ workspace: owner, by: by.id }, 'an API key was disconnected');
  return DISCONNECT.done;
}
