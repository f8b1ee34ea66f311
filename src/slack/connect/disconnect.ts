import type { KnownBlock } from '@slack/types';
import { disconnectKey } from '../../workspaces/disconnect-key.ts';
import {
  type ActionArgs,
  type CommandArgs,
  replyToCommand,
  tellPrivately,
  workspaceOf,
} from '../listeners.ts';
import { refuseAdministering } from '../permissions.ts';
import type { ConnectDeps } from './connect.ts';
import { ending } from './connect-view.ts';

export const DISCONNECT_ACTION = 'disconnect';

const NOTHING_CONNECTED = 'This workspace is not connected, so there is nothing to disconnect.';

/** `/design-request disconnect`: asks once more, since requests then wait for a new key. */
export async function askToDisconnect(deps: ConnectDeps, args: CommandArgs): Promise<void> {
  const { client, command, context } = args;
  const workspaceId = workspaceOf(context);
  const person = await deps.people.whoIs(client, workspaceId, command.user_id);
  const refusal = refuseAdministering(person);
  const key = await deps.keys.describe(workspaceId);
  if (refusal || !key || key.state === 'disconnected') {
    return replyToCommand(args, refusal ?? NOTHING_CONNECTED);
  }
  const text = `Disconnect this workspace from your design service${ending(key)}? The key is deleted. Until another one is connected, nobody can order anything, card links don’t unfurl, and requests that are not sent yet wait.`;
  await replyToCommand(args, text, confirmation(text));
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

/** The button was pressed: whoever pressed it must be an admin still. */
export async function onDisconnect(deps: ConnectDeps, args: ActionArgs): Promise<void> {
  const { body, client, context, respond } = args;
  const workspaceId = workspaceOf(context);
  const person = await deps.people.whoIs(client, workspaceId, body.user.id, {
    fresh: true,
  });
  const refusal = refuseAdministering(person);
  const text = refusal ?? (await disconnect(deps, workspaceId, body.user.id));
  const to = { client, channelId: body.channel?.id, userId: body.user.id };
  await tellPrivately(to, text, [
    () => respond({ response_type: 'ephemeral', replace_original: true, text }),
  ]);
}

async function disconnect(deps: ConnectDeps, workspaceId: string, by: string): Promise<string> {
  if (!(await disconnectKey(deps, { workspaceId }))) return NOTHING_CONNECTED;
  deps.log.info({ workspace: workspaceId, by }, 'an API key was disconnected');
  return 'Disconnected. The key is deleted. `/design-request connect` connects a new one.';
}
