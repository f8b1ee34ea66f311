import type { Button, KnownBlock } from '@slack/types';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { EffectiveKeys } from '../../service/service-access.ts';
import type { ApiKeyRecord } from '../../store/api-keys.ts';
import { type Entries, onceKind } from '../../store/entries.ts';
import type { DirectMessages } from '../client/direct-messages.ts';
import type { People } from '../client/people.ts';
import type { SlackClient } from '../client/slack-client.ts';
import { button, buttonRow, section } from '../text/blocks.ts';
import { escapeCode } from '../text/escape.ts';
import { BUTTON_TEXT_MAX, clip } from '../text/limits.ts';
import { timeAgo } from '../text/slack-date.ts';
import { ASK_ADMIN, CONNECT } from '../words/connect.ts';
import type { AdminToAsk } from '../words/errors.ts';
import { CONNECTION } from '../words/home.ts';
import type { AccessControl, Actor } from './access.ts';
import type { Press } from './interactions.ts';

export const ASK_ADMIN_ACTION = 'ask-to-connect';
/** Opens the connect modal. */
export const CONNECT_ACTION = 'open-connect';

/** Who has asked; they may ask again after a day. */
const ASKED = onceKind('asked_to_connect', 24 * 60 * 60_000);

type AskDeps = {
  keys: Pick<EffectiveKeys, 'describe'>;
  access: AccessControl;
  people: People;
  entries: Entries;
  directMessages: DirectMessages;
  now: () => Date;
};

/** The button for someone who needs the workspace connected: to connect it, or to ask someone who can. */
export function connectOffer(admin: AdminToAsk): Button {
  if (admin === 'reader') return connectButton();
  return button(ASK_ADMIN_ACTION, clip(ASK_ADMIN.ask(admin?.name || undefined), BUTTON_TEXT_MAX));
}

/** “Ask @Ada”: asks the admin, or some admins, at most once a day for each person. */
export const createAskAdmin = (deps: AskDeps) => async (press: Press) =>
  press.reply(await ask(deps, press));

async function ask(deps: AskDeps, asker: Actor): Promise<string> {
  const { workspaceId, userId } = asker;
  if ((await deps.keys.describe(workspaceId))?.state === 'active') return ASK_ADMIN.connectedNow;
  const asked = { kind: ASKED, owner: workspaceId, name: userId };
  if (!(await deps.entries.takeOnce(asked, deps.now()))) return ASK_ADMIN.askedBefore;
  let reached: string[] = [];
  try {
    const admin = await deps.access.adminToAsk(asker);
    const known = typeof admin === 'object' ? admin.userId : undefined;
    reached = await messageAdmin(deps, { ...asker, known }, ASK_ADMIN.message(mention(userId)));
  } finally {
    if (reached.length === 0) await deps.entries.remove(asked);
  }
  return reached.length > 0
    ? ASK_ADMIN.asked(reached.map(mention).join(', '))
    : ASK_ADMIN.nobodyReached;
}

/**
 * Sends a text with a Connect button to one admin, or to several others if none is known or that one can't be reached.
 *
 * @returns the IDs of the people it reached
 * @throws MaybePostedError if it may have reached someone; Slack's error if a later attempt may reach someone
 */
export async function messageAdmin(
  { directMessages, people }: { directMessages: DirectMessages; people: People },
  to: { client: SlackClient; workspaceId: WorkspaceId; known: string | undefined },
  text: string,
): Promise<string[]> {
  const { client, workspaceId, known } = to;
  const blocks = [section(text), ...buttonRow([connectButton()])];
  const send = (userId: string) =>
    directMessages.send(client, { workspaceId, userId }, { text, blocks });
  if (known !== undefined && (await send(known)).isDelivered) return [known];
  const others = (await people.listAdmins(client)).filter((admin) => admin !== known);
  const sent = await Promise.allSettled(others.map(send));
  const reached = others.filter((_admin, index) => {
    const one = sent[index];
    return one?.status === 'fulfilled' && one.value.isDelivered;
  });
  const failed = sent.find((one) => one.status === 'rejected');
  if (reached.length === 0 && failed) throw failed.reason;
  return reached;
}

const mention = (userId: string) => `<@${userId}>`;

const connectButton = (): Button => ({
  ...button(CONNECT_ACTION, ASK_ADMIN.connect, { style: 'primary' }),
  accessibility_label: ASK_ADMIN.connectLabel,
});

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
  const accessory =
    key?.state === 'active' ? button(CONNECT_ACTION, CONNECT.newKey) : connectButton();
  const text = describeConnection(key, true);
  return { ...section(text), accessory };
}
