import type { ApiKeyRecord } from '../../store/api-keys.ts';
import { escapeCode } from '../text/escape.ts';

// Connecting and disconnecting the API key.

export const CONNECT = {
  title: 'Connect',
  submit: 'Connect',
  keyLabel: 'API key',
  keyHint:
    'In your design service’s dashboard: account settings → integration tab. It is checked, kept encrypted, and never shown again.',
  scopeLabel: 'Where it is used',
  wholeOrganization: 'In all workspaces of the organisation without a key of their own',
  checking: 'Checking the key…',
  noKey: 'Paste the API key.',
  malformedKey: 'An API key has no spaces and only plain letters, digits and signs. Copy it again.',
};

/** The current key, above the field for a new one. */
export function describeKey(current: ApiKeyRecord | undefined): string {
  switch (current?.state) {
    case 'active':
      if (current.ofOrganisation !== undefined) {
        return `This workspace works with your organisation’s key${keyEnding(current)}. A key of its own replaces that one here.`;
      }
      return `This workspace is connected${keyEnding(current)}. A new key replaces that one.`;
    case 'rejected':
      return `Your design service no longer accepts the key${keyEnding(current)}. Requests wait for a new one.`;
    default:
      return 'This workspace is not connected to your design service yet.';
  }
}

const keyEnding = ({ lastFour }: ApiKeyRecord): string =>
  lastFour ? ` (key ending in \`${escapeCode(lastFour)}\`)` : '';

/** @param resumed how many waiting requests are sent now */
export function connected(current: ApiKeyRecord | undefined, resumed: number): string {
  const sent =
    resumed === 0
      ? ''
      : resumed === 1
        ? ' One request that waited goes out now.'
        : ` ${resumed} requests that waited go out now.`;
  return `:white_check_mark: Connected${current ? keyEnding(current) : ''}.${sent} Type \`/design-request\` to order something.`;
}

/** Asks before disconnecting. */
export function confirmDisconnect(key: ApiKeyRecord): string {
  const whose = key.ofOrganisation
    ? 'all workspaces that use your organisation’s key'
    : 'this workspace';
  return `Disconnect ${whose} from your design service${keyEnding(key)}? The key is deleted. Until another one is connected, nobody can order anything, card links don’t unfurl, and requests that are not sent yet wait.`;
}

export const DISCONNECT = {
  button: 'Disconnect',
  done: 'Disconnected. The key is deleted. `/design-request connect` connects a new one.',
  notConnected: 'This workspace is not connected, so there is nothing to disconnect.',
  organizationKey:
    'This workspace works with your organisation’s API key, so only an admin of the organisation can disconnect it. A key of your own replaces it here: `/design-request connect`.',
};

/** The direct message to the admin who connected the key. */
export const KEY_REJECTED_MESSAGE =
  'Your design service no longer accepts this workspace’s API key. Requests are kept and wait. Connect a new key with `/design-request connect`, and they go out by themselves.';
