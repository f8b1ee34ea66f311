import type { KnownBlock } from '@slack/types';
import { disconnectKey } from '../../installations/disconnect-key.ts';
import type { OwnerId } from '../../installations/workspace-id.ts';
import type { ApiKeyRecord } from '../../store/api-keys.ts';
import type { Person } from '../directory/people.ts';
import type { AllowedUser } from '../listener/guard.ts';
import {
  type ActionArgs,
  type CommandArgs,
  replyToCommand,
  sendPrivately,
} from '../listener/replies.ts';
import type { ConnectDeps } from './connect.ts';
import { ending } from './connect-view.ts';

export const DISCONNECT_ACTION = 'disconnect';

const NOTHING_CONNECTED = 'This workspace is not connected, so there is nothing to disconnect.';

/** `/design-request disconnect`: asks once more, since requests then wait for a new key. */
export async function askToDisconnect(
  deps: ConnectDeps,
  args: CommandArgs,
  { workspaceId, person }: AllowedUser,
): Promise<void> {
  const key = await deps.keys.describe(workspaceId);
  const refusal = refuseShared(person, key);
  if (refusal || !key || key.state === 'disconnected') {
    return replyToCommand(args, refusal ?? NOTHING_CONNECTED);
  }
  const whose = key.ofOrganisation
    ? 'all workspaces that use your organisation’s key'
    : 'this workspace';
  const text = `Disconnect ${whose} from your design service${ending(key)}? The key is deleted. Until another one is connected, nobody can order anything, card links don’t unfurl, and requests that are not sent yet wait.`;
  await replyToCommand(args, text, confirmation(text));
}

/** The organisation's default serves other workspaces, too. */
function refuseShared(person: Person, key: ApiKeyRecord | undefined): string | undefined {
  return key?.ofOrganisation === undefined || person.administers === key.ofOrganisation
    ? undefined
    : 'This workspace works with your organisation’s API key, so only an admin of the organisation can disconnect it. A key of your own replaces it here: `/design-request connect`.';
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
          text: { type: 'plain_text', text: 'Disconnect' },
        },
      ],
    },
  ];
}

/** The button was pressed. */
export async function onDisconnect(
  deps: ConnectDeps,
  args: ActionArgs,
  { workspaceId, person }: AllowedUser,
): Promise<void> {
  const { body, client, respond } = args;
  const key = await deps.keys.describe(workspaceId);
  const refusal = refuseShared(person, key);
  const owner = key?.ofOrganisation ?? workspaceId;
  const text = refusal ?? (await disconnect(deps, owner, body.user.id));
  const to = { client, channelId: body.channel?.id, userId: body.user.id };
  await sendPrivately(to, text, [
    () => respond({ response_type: 'ephemeral', replace_original: true, text }),
  ]);
}

async function disconnect(deps: ConnectDeps, owner: OwnerId, by: string): Promise<string> {
  if (!(await disconnectKey(deps, { owner }))) return NOTHING_CONNECTED;
  deps.log.info({ workspace: owner, by }, 'an API key was disconnected');
  return 'Disconnected. The key is deleted. `/design-request connect` connects a new one.';
}
