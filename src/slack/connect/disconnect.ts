import type { KnownBlock } from '@slack/types';
import { disconnectKey } from '../../installations/disconnect-key.ts';
import type { OwnerId } from '../../installations/workspace-id.ts';
import type { ApiKeyRecord } from '../../store/api-keys.ts';
import type { AllowedUser } from '../listener/guard.ts';
import {
  type ActionArgs,
  type CommandArgs,
  replyToCommand,
  sendPrivately,
} from '../listener/replies.ts';
import { confirmDisconnect, DISCONNECT } from '../words/connect.ts';
import type { ConnectDeps } from './connect.ts';

export const DISCONNECT_ACTION = 'disconnect';

/** `/design-request disconnect`: asks for confirmation, since requests then wait for a new key. */
export async function askToDisconnect(
  deps: ConnectDeps,
  args: CommandArgs,
  { workspaceId, person }: AllowedUser,
): Promise<void> {
  const key = await deps.keys.describe(workspaceId);
  const refusal = refuseShared(person, key);
  if (refusal || !key || key.state === 'disconnected') {
    return replyToCommand(args, refusal ?? DISCONNECT.notConnected);
  }
  const text = confirmDisconnect(key);
  await replyToCommand(args, text, confirmation(text));
}

/** The organization's default key also serves other workspaces. */
function refuseShared(
  person: AllowedUser['person'],
  key: ApiKeyRecord | undefined,
): string | undefined {
  return key?.ofOrganization === undefined || person.administers === key.ofOrganization
    ? undefined
    : DISCONNECT.organizationKey;
}

function confirmation(text: string): KnownBlock[] {
  return [
    { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } },
    {
      type: 'actions',
      elements: [
        {
          type: 'button',
          action_id: DISCONNECT_ACTION,
          style: 'danger',
          text: { type: 'plain_text', text: DISCONNECT.button },
        },
      ],
    },
  ];
}

/** The confirmation button. */
export async function onDisconnect(
  deps: ConnectDeps,
  args: ActionArgs,
  { workspaceId, person }: AllowedUser,
): Promise<void> {
  const { body, client, respond } = args;
  const key = await deps.keys.describe(workspaceId);
  const refusal = refuseShared(person, key);
  const owner = key?.ofOrganization ?? workspaceId;
  const text = refusal ?? (await disconnect(deps, owner, body.user.id));
  deps.homes.workspaceChanged(workspaceId);
  const to = { client, channelId: body.channel?.id, userId: body.user.id };
  await sendPrivately(to, text, [
    () => respond({ response_type: 'ephemeral', replace_original: true, text }),
  ]);
}

async function disconnect(deps: ConnectDeps, owner: OwnerId, by: string): Promise<string> {
  if (!(await disconnectKey(deps, { owner, by }))) return DISCONNECT.notConnected;
  deps.log.info({ workspace: owner, by }, 'an API key was disconnected');
  return DISCONNECT.done;
}
