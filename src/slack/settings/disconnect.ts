import type { KnownBlock } from '@slack/types';
import type { Connecting } from '../../installations/connect-key.ts';
import type { Log } from '../../ops/logging.ts';
import type { ApiKeyRecord } from '../../store/api-keys.ts';
import type { Homes } from '../home/homes.ts';
import type { Allowed, AllowedUser } from '../surface/access.ts';
import type { Command, Press } from '../surface/interactions.ts';
import { sendPrivately } from '../surface/replies.ts';
import { button, buttonRow, section } from '../text/blocks.ts';
import { confirmDisconnect, DISCONNECT } from '../words/connect.ts';

export const DISCONNECT_ACTION = 'disconnect';

export type Disconnect = ReturnType<typeof createDisconnect>;

export function createDisconnect(deps: { connecting: Connecting; homes: Homes; log: Log }) {
  const { connecting, homes, log } = deps;

  /** What to ask before the key is deleted, or why it can't be. */
  async function question({ workspaceId, person }: AllowedUser): Promise<Question> {
    const key = await connecting.describe(workspaceId);
    if (!key || key.state === 'disconnected') return { text: DISCONNECT.notConnected };
    // The organization's default key also serves other workspaces.
    if (key.ofOrganization !== undefined && !person.administers.includes(key.ofOrganization)) {
      return { text: DISCONNECT.organizationKey };
    }
    const text = confirmDisconnect(key);
    const confirm = {
      ...button(DISCONNECT_ACTION, DISCONNECT.button, { style: 'danger', value: nameOf(key) }),
      accessibility_label: DISCONNECT.buttonLabel,
    };
    return { text, blocks: [section(text), ...buttonRow([confirm])], key };
  }

  return {
    /** `/design-request disconnect`: asks for confirmation, since requests then wait for a new key. */
    async ask(command: Allowed<Command>): Promise<void> {
      const { text, blocks } = await question(command);
      await command.reply(text, blocks);
    },

    /** The confirmation button. Asks again if another key has been connected since. */
    async confirm(press: Allowed<Press>): Promise<void> {
      const { workspaceId, person } = press;
      const asked = await question(press);
      if (!asked.key || press.value !== nameOf(asked.key)) {
        return replaceQuestion(press, asked);
      }
      const owner = asked.key.ofOrganization ?? workspaceId;
      const isDone = await connecting.disconnect({ owner, by: person });
      if (isDone) log.info({ workspace: owner, by: person.id }, 'an API key was disconnected');
      homes.workspaceChanged(workspaceId);
      await replaceQuestion(press, { text: isDone ? DISCONNECT.done : DISCONNECT.notConnected });
    },
  };
}

type Question = { text: string; blocks?: KnownBlock[]; key?: ApiKeyRecord };

/** Enough to tell the keys of one owner apart. */
const FINGERPRINT_HEX_DIGITS = 8;

/** Which key is asked about, without revealing it, and whose it is. */
const nameOf = ({ ofOrganization, fingerprint = '' }: ApiKeyRecord): string =>
  `${ofOrganization ?? ''}/${fingerprint.slice(0, FINGERPRINT_HEX_DIGITS)}`;

function replaceQuestion(press: Press, { text, blocks }: Question): Promise<void> {
  const { client, channelId, userId, respond } = press;
  const content = { text, ...(blocks ? { blocks } : {}) };
  const preferred =
    respond && (() => respond({ response_type: 'ephemeral', replace_original: true, ...content }));
  return sendPrivately({ client, channelId, userId }, text, { blocks, preferred });
}
