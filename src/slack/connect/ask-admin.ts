import type { Button, KnownBlock } from '@slack/types';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { onceKind } from '../../store/entries.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import type { AllowedUser } from '../listener/access.ts';
import { type ActionArgs, replyPrivately } from '../listener/replies.ts';
import { section } from '../text/blocks.ts';
import { BUTTON_TEXT_MAX, clip } from '../text/limits.ts';
import { buildNotice } from '../views/modal.ts';
import { ASK_ADMIN } from '../words/ask-admin.ts';
import type { AdminToAsk } from '../words/errors.ts';

export const ASK_ADMIN_ACTION = 'ask-to-connect';
/** Opens the connect modal. */
export const CONNECT_ACTION = 'open-connect';

/** Who has asked; they may ask again after a day. */
const ASKED = onceKind('asked_to_connect', 24 * 60 * 60_000);

type AskDeps = Pick<
  SlackDeps,
  'adminToAsk' | 'keys' | 'people' | 'entries' | 'directMessages' | 'now' | 'log'
>;

/** The button for someone who needs the workspace connected: to connect it, or to ask someone who can. */
export function connectOffer(admin: AdminToAsk): Button {
  if (admin === 'reader') return connectButton();
  return button(ASK_ADMIN_ACTION, clip(ASK_ADMIN.ask(admin?.name || undefined), BUTTON_TEXT_MAX));
}

/** “Ask @Ada”: asks the admin, or some admins, at most once a day for each person. */
export async function onAskAdmin(
  deps: AskDeps,
  args: ActionArgs,
  { workspaceId, person }: AllowedUser,
): Promise<void> {
  const words = await ask(deps, args.client, { workspaceId, userId: person.id });
  const { body, client } = args;
  if (body.view?.type !== 'modal') return replyPrivately(args, words);
  const view = buildNotice({ title: ASK_ADMIN.title, text: words });
  await client.views.push({ trigger_id: body.trigger_id, view });
}

async function ask(
  deps: AskDeps,
  client: SlackClient,
  asker: { workspaceId: WorkspaceId; userId: string },
): Promise<string> {
  const { workspaceId, userId } = asker;
  if ((await deps.keys.describe(workspaceId))?.state === 'active') return ASK_ADMIN.connectedNow;
  const asked = { kind: ASKED, owner: workspaceId, name: userId };
  if (!(await deps.entries.takeOnce(asked, deps.now()))) return ASK_ADMIN.askedBefore;
  try {
    const reached = await askFirst(deps, client, asker);
    if (reached.length > 0) return ASK_ADMIN.asked(reached.map(mention).join(', '));
  } catch (error) {
    await deps.entries.remove(asked);
    throw error;
  }
  await deps.entries.remove(asked);
  return ASK_ADMIN.nobodyReached;
}

/** @returns whom it reached: the known admin if possible, otherwise some others */
async function askFirst(
  deps: AskDeps,
  client: SlackClient,
  { workspaceId, userId }: { workspaceId: WorkspaceId; userId: string },
): Promise<string[]> {
  const text = ASK_ADMIN.message(mention(userId));
  const blocks: KnownBlock[] = [section(text), { type: 'actions', elements: [connectButton()] }];
  async function reaches(admin: string): Promise<boolean> {
    const to = { workspaceId, userId: admin };
    return (await deps.directMessages.send(client, to, { text, blocks })).isDelivered;
  }
  const admin = await deps.adminToAsk(client, workspaceId, userId);
  const known = typeof admin === 'object' ? admin.userId : undefined;
  if (known && (await reaches(known))) return [known];
  const others = (await deps.people.listAdmins(client)).filter((admin) => admin !== known);
  const sent = await Promise.allSettled(others.map(reaches));
  const reached = others.filter((_admin, index) => {
    const one = sent[index];
    return one?.status === 'fulfilled' && one.value;
  });
  const failed = sent.find((one) => one.status === 'rejected');
  if (reached.length === 0 && failed) throw failed.reason;
  return reached;
}

const mention = (userId: string) => `<@${userId}>`;

const connectButton = (): Button => ({
  ...button(CONNECT_ACTION, ASK_ADMIN.connect),
  style: 'primary',
  accessibility_label: ASK_ADMIN.connectLabel,
});

const button = (action_id: string, text: string): Button => ({
  type: 'button',
  action_id,
  text: { type: 'plain_text', text },
});
