import type { Button } from '@slack/types';
import type { Connecting } from '../../installations/connect-key.ts';
import type { OwnerId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { ApiKeyRecord } from '../../store/api-keys.ts';
import type { Administrator } from '../../store/transact.ts';
import type { Homes } from '../home/homes.ts';
import type { AllowedUser } from '../surface/access.ts';
import {
  type ActionArgs,
  type CommandArgs,
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
    const text = confirmDisconnect(key);
    const confirm: Button = {
      ...button(DISCONNECT_ACTION, DISCONNECT.button, { style: 'danger' }),
      accessibility_label: DISCONNECT.buttonLabel,
    };
    await replyToCommand(args, text, [section(text), ...buttonRow([confirm])]);
  },

  /** The confirmation button. */
  async confirm(args: ActionArgs, { workspaceId, person }: AllowedUser): Promise<void> {
    const key = await deps.connecting.describe(workspaceId);
    const owner = key?.ofOrganization ?? workspaceId;
    const text = refuseShared(person, key) ?? (await disconnect(deps, owner, person));
    deps.homes.workspaceChanged(workspaceId);
    const { body, client, respond } = args;
    const to = { client, channelId: body.channel?.id, userId: body.user.id };
    const preferred = () => respond({ response_type: 'ephemeral', replace_original: true, text });
    await sendPrivately(to, text, { preferred });
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

async function disconnect(
  deps: DisconnectDeps,
  owner: OwnerId,
  by: Administrator,
): Promise<string> {
  if (!(await deps.connecting.disconnect({ owner, by }))) return DISCONNECT.notConnected;
  deps.log.info({ workspace: owner, by: by.id }, 'an API key was disconnected');
  return DISCONNECT.done;
}
