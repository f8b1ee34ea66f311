import type { Button, KnownBlock } from '@slack/types';
import type { ApiKeyRecord } from '../../store/api-keys.ts';
import { button, section, timeAgo } from '../text/blocks.ts';
import { escapeCode } from '../text/escape.ts';
import { BUTTON_TEXT_MAX, clip } from '../text/limits.ts';
import { ASK_ADMIN, CONNECT } from '../words/connect.ts';
import type { AdminToAsk } from '../words/errors.ts';
import { CONNECTION } from '../words/home.ts';

export const ASK_ADMIN_ACTION = 'ask-to-connect';
export const CONNECT_ACTION = 'open-connect';

/** The button for someone who needs the workspace connected: to connect it, or to ask someone who can. */
export function connectOrAskButton(admin: AdminToAsk): Button {
  if (admin === 'reader') return connectButton();
  return button(ASK_ADMIN_ACTION, clip(ASK_ADMIN.ask(admin?.name || undefined), BUTTON_TEXT_MAX));
}

export const connectButton = (): Button => ({
  ...button(CONNECT_ACTION, ASK_ADMIN.connect, { style: 'primary' }),
  accessibility_label: ASK_ADMIN.connectLabel,
});

/** Whether requests can be sent, as mrkdwn. Only admins need to know with which key, and whose. */
export function describeConnection(key: ApiKeyRecord | undefined, isAdmin: boolean): string {
  if (key?.state === 'rejected') return CONNECTION.rejected;
  if (key?.state !== 'active') return CONNECTION.none;
  const { lastFour, connectedBy, changedAt } = key;
  if (!isAdmin) return CONNECTION.connected(undefined);
  const connected = CONNECTION.connected(lastFour && escapeCode(lastFour));
  if (connectedBy === undefined) return connected;
  return `${connected} ${CONNECTION.connectedBy(`<@${connectedBy}>`, timeAgo(changedAt))}`;
}

/** The connection, and the button that opens the connect modal, for admins. */
export function connectionBlock(key: ApiKeyRecord | undefined): KnownBlock {
  const accessory =
    key?.state === 'active' ? button(CONNECT_ACTION, CONNECT.newKey) : connectButton();
  const text = describeConnection(key, true);
  return { ...section(text), accessory };
}
