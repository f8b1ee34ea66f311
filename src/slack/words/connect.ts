import type { ApiKeyRecord } from '../../store/api-keys.ts';
import { escapeCode } from '../text/escape.ts';

// Connecting and disconnecting the API key.

export const CONNECT = {
  title: 'Connect',
  key: {
    label: 'API key',
    hint: 'Find it in your design service’s dashboard: account settings → integration tab. We check it, encrypt it, and never show it again.',
  },
  scopeLabel: 'Where to use it',
  wholeOrganization: 'In all of the organization’s workspaces that have no key of their own',
  checking: 'Checking the key…',
  newKey: 'Connect a new key',
  noKey: 'Paste your API key.',
  malformedKey: 'An API key has no spaces or accented letters. Copy it again.',
};

/** The current key, above the field for a new one. */
export function describeKey(current: ApiKeyRecord | undefined): string {
  switch (current?.state) {
    case 'active':
      if (current.ofOrganization !== undefined) {
        return `This workspace uses your organization’s key${keyEnding(current)}. A key that you connect here replaces it for this workspace.`;
      }
      return `This workspace is connected${keyEnding(current)}. A new key replaces it.`;
    case 'rejected':
      return `Your design service no longer accepts the key${keyEnding(current)}. Requests are waiting for a new one.`;
    default:
      return 'This workspace isn’t connected to your design service yet.';
  }
}

const keyEnding = ({ lastFour }: ApiKeyRecord): string =>
  lastFour ? ` (key ending in \`${escapeCode(lastFour)}\`)` : '';

/** `sent` requests are being sent; `authors` have to finish theirs, once for each request. */
export function connected(
  current: ApiKeyRecord | undefined,
  { sent, authors }: { sent: number; authors: readonly string[] },
): string {
  return [
    `:white_check_mark: Connected${current ? keyEnding(current) : ''}.`,
    sent === 1 && 'Sending one waiting request…',
    sent > 1 && `Sending ${sent} waiting requests…`,
    authors.length === 1 && `One request waits: we asked <@${authors[0]}> to finish it.`,
    authors.length > 1 && `${authors.length} requests wait: we asked their authors to finish them.`,
    'Type `/design-request` to make a request.',
  ]
    .filter(Boolean)
    .join(' ');
}

export function confirmDisconnect(key: ApiKeyRecord): string {
  const whose = key.ofOrganization
    ? 'every workspace that uses your organization’s key'
    : 'this workspace';
  return `Disconnect ${whose} from your design service${keyEnding(key)}? This deletes the key. Link previews stop, and requests wait for a new key.`;
}

export const DISCONNECT = {
  button: 'Disconnect',
  buttonLabel: 'Disconnect the design service',
  done: 'Disconnected, and the key is deleted. Type `/design-request connect` to connect a new one.',
  notConnected: 'This workspace isn’t connected, so there’s nothing to disconnect.',
  organizationKey:
    'This workspace uses your organization’s API key. Only an organization admin can disconnect it. To use another key here, type `/design-request connect`.',
};

/** The direct message to the admin who connected the key. */
export const KEY_REJECTED_MESSAGE =
  'Your design service no longer accepts this workspace’s API key. Requests are saved and waiting. Connect a new key, and we’ll send them.';

/** The project in which requests in doubt are searched for: in the modals of Connect and of the settings. */
export const PROJECT = {
  label: 'Project ID',
  hint: 'We check this project when a connection drops mid-send, before asking anyone. Find the ID in your dashboard’s URL.',
  saved: ':white_check_mark: Project saved.',
  checking: 'Checking the project…',
  unknown:
    'This API key has no such project. Copy the ID from your dashboard’s URL, or leave it empty.',
  later:
    'We can’t reach your design service to check the project. Try again in a moment, or leave it empty.',
  notListed:
    'This API key can’t list cards, so we left the project out. If a connection drops mid-send, we’ll ask the author instead.',
  empty: 'This project has no cards yet. If you expected some, check the ID.',
  notChecked: 'We’ll check the project when you connect an API key.',
};

// Where the workspace isn't connected: connecting it, or asking someone who can.

export const ASK_ADMIN = {
  connect: 'Connect',
  connectLabel: 'Connect this workspace to your design service',
  ask: (name: string | undefined) => `Ask ${name ?? 'an admin'}`,
  /** To an admin. @param asker a mention */
  message: (asker: string) =>
    `${asker} asks you to connect this workspace to your design service, so that design requests can be sent.`,
  /** @param admins mentions */
  asked: (admins: string) =>
    `We asked ${admins}. Once this workspace is connected, we’ll continue with the requests that are waiting.`,
  askedBefore:
    'You already asked today. Once this workspace is connected, we’ll continue with the requests that are waiting.',
  connectedNow: 'This workspace is connected now. Try again.',
  nobodyReached:
    'We couldn’t reach an admin. Ask one of them to type `/design-request connect` in Slack.',
};
