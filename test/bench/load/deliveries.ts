import { CARD_ACTIONS } from '../../../src/slack/card/menu.ts';
import { bodyOf, contentTypeOf } from '../../stand-ins/slack/dispatch/delivery.ts';
import { signedRequest } from '../../stand-ins/slack/signing.ts';

/** Deliveries in Slack's real formats: a typed command, a pressed button that opens a web page, and links in a message. */
export type DeliveryKind = 'command' | 'button' | 'link';

export type Delivery = {
  kind: DeliveryKind;
  /** Distinguishes this delivery from all others, in its trigger, event, and message IDs. */
  id: string;
  workspaceId: string;
  /** Who types the command; of the others, it is always the same person. */
  userId: string;
  url?: string;
};

export const SIGNING_SECRET = 'f00d'.repeat(8);
export const WORKSPACE_ID = 'T0BENCH001';
export const USER_ID = 'U0BENCH001';
export const CHANNEL_ID = 'C0BENCH001';
const APP_ID = 'A0BENCH001';
const DOMAIN = 'app.example.com';

/** The `ts` of the message with a delivery's link; Slack's are unique in their channel too. */
export const messageTsOf = (id: string): string => `1700000000.${id}`;

/**
 * A whole HTTP request, signed as Slack signs it, ready to be written to a socket, so that nothing is
 * computed during a measurement.
 */
export function requestBytes(delivery: Delivery, to: { host: string; now: Date }): Buffer {
  const kinds = { command: 'command', button: 'block_actions', link: 'event' } as const;
  const kind = kinds[delivery.kind];
  const body = bodyOf(kind, payloadOf(delivery, to.now));
  const { headers } = signedRequest(SIGNING_SECRET, body, to.now, contentTypeOf(kind));
  const lines = [
    'POST /slack/events HTTP/1.1',
    `host: ${to.host}`,
    'accept: */*',
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

function payloadOf(delivery: Delivery, now: Date) {
  if (delivery.kind === 'command') return command(delivery);
  return delivery.kind === 'button' ? button(delivery) : linkShared(delivery, now);
}

function command({ id, workspaceId, userId }: Delivery) {
  return {
    token: 'verification-token',
    team_id: workspaceId,
    team_domain: 'acme',
    channel_id: CHANNEL_ID,
    channel_name: 'general',
    user_id: userId,
    user_name: 'ann',
    command: '/design-request',
    text: 'Spring banner',
    api_app_id: APP_ID,
    is_enterprise_install: 'false',
    response_url: `https://hooks.slack.com/commands/${workspaceId}/${id}/abcdefghijklmnopqrstuvwx`,
    trigger_id: id,
  };
}

function button({ id, workspaceId }: Delivery) {
  return {
    type: 'block_actions',
    user: { id: USER_ID, username: 'ann', name: 'ann', team_id: workspaceId },
    api_app_id: APP_ID,
    token: 'verification-token',
    team: { id: workspaceId, domain: 'acme' },
    enterprise: null,
    is_enterprise_install: false,
    container: {
      type: 'message',
      message_ts: messageTsOf(id),
      channel_id: CHANNEL_ID,
      is_ephemeral: false,
    },
    channel: { id: CHANNEL_ID, name: 'general' },
    trigger_id: id,
    response_url: `https://hooks.slack.com/actions/${workspaceId}/${id}/abcdefghijklmnopqrstuvwx`,
    actions: [
      {
        type: 'button',
        action_id: CARD_ACTIONS.open,
        block_id: 'card_buttons',
        text: { type: 'plain_text', text: 'Open' },
        url: `https://${DOMAIN}/card/card-1001`,
        action_ts: messageTsOf(id),
      },
    ],
  };
}

function linkShared({ id, workspaceId, url = `https://${DOMAIN}/help` }: Delivery, now: Date) {
  return {
    token: 'verification-token',
    team_id: workspaceId,
    context_team_id: workspaceId,
    context_enterprise_id: null,
    api_app_id: APP_ID,
    event: {
      type: 'link_shared',
      user: USER_ID,
      channel: CHANNEL_ID,
      message_ts: messageTsOf(id),
      is_bot_user_member: true,
      links: [{ url, domain: DOMAIN }],
      unfurl_id: `unfurl-${id}`,
      source: 'conversations_history',
      event_ts: messageTsOf(id),
    },
    type: 'event_callback',
    event_id: `Ev${id}`,
    event_time: Math.floor(now.getTime() / 1_000),
    is_ext_shared_channel: false,
    authorizations: [
      {
        enterprise_id: null,
        team_id: workspaceId,
        user_id: 'U0BENCHBOT',
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    event_context: `EC${id}`,
  };
}
