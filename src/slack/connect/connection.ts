import type { Button, KnownBlock } from '@slack/types';
import type { ApiKeyRecord } from '../../store/api-keys.ts';
import { section } from '../text/blocks.ts';
import { escapeCode } from '../text/escape.ts';
import { timeAgo } from '../text/slack-date.ts';
import { CONNECT } from '../words/connect.ts';
import { CONNECTION } from '../words/home.ts';
import { CONNECT_ACTION, connectOffer } from './ask-admin.ts';

/**
 * Whether requests can be sent, as mrkdwn.
 *
 * @param isAdmin only admins need to know which key it is, and who connected it
 */
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
  const accessory = key?.state === 'active' ? newKeyButton() : connectOffer('reader');
  const text = describeConnection(key, true);
  return { ...section(text), accessory };
}

const newKeyButton = (): Button => ({
  type: 'button',
  action_id: CONNECT_ACTION,
  text: { type: 'plain_text', text: CONNECT.newKey },
});
