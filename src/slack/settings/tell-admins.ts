import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { JobHandler } from '../../jobs/runner.ts';
import type { Log } from '../../ops/logging.ts';
import type { EffectiveKeys } from '../../service/service-access.ts';
import { type Entries, onceKind } from '../../store/entries.ts';
import type { NewJob } from '../../store/jobs.ts';
import type { DirectMessages } from '../client/direct-messages.ts';
import type { People } from '../client/people.ts';
import { MaybePostedError } from '../client/post-message.ts';
import type { SlackClients } from '../client/slack-client.ts';
import type { Homes } from '../home/homes.ts';
import type { AccessControl, Actor } from '../interaction/access.ts';
import { connectButton } from '../interaction/connection.ts';
import type { Press } from '../interaction/interactions.ts';
import { SLACK_JOBS } from '../interaction/jobs.ts';
import { buttonRow, section } from '../text/blocks.ts';
import { ASK_ADMIN, KEY_REJECTED_MESSAGE } from '../words/connect.ts';

/** Who has asked; they may ask again after a day. */
const ASKED = onceKind('asked_to_connect', 24 * 60 * 60_000);

/** Queued, so that the call that got the 401 doesn't wait for the message. */
export const keyRejectedJob = (workspaceId: WorkspaceId): NewJob => ({
  kind: SLACK_JOBS.keyRejected,
  workspaceId,
  payload: {},
});

const KEY_REJECTED =
  'the service rejected an API key; requests wait until an admin connects a new one';

const mention = (userId: string) => `<@${userId}>`;

export function createTellAdmins(deps: {
  keys: Pick<EffectiveKeys, 'describe'>;
  access: AccessControl;
  people: People;
  entries: Entries;
  directMessages: DirectMessages;
  homes: Homes;
  clients: SlackClients;
  now: () => Date;
  log: Log;
}) {
  const { keys, access, people, entries, directMessages, homes, clients, now, log } = deps;

  /**
   * Sends a text with the Connect button to the admin `known`; if that is undefined or fails, to some other admins.
   *
   * @returns the IDs of the people it reached
   * @throws MaybePostedError if it may have reached someone; Slack's error if a later attempt may reach someone
   */
  async function messageAdmin(
    { client, workspaceId }: Pick<Actor, 'client' | 'workspaceId'>,
    known: string | undefined,
    text: string,
  ): Promise<string[]> {
    const blocks = [section(text), ...buttonRow([connectButton()])];
    const send = async (userId: string) => {
      const sent = await directMessages.send(client, { workspaceId, userId }, { text, blocks });
      return sent.isDelivered ? [userId] : [];
    };
    if (known !== undefined && (await send(known)).length > 0) return [known];
    const others = (await people.listAdmins(client)).filter((admin) => admin !== known);
    const sent = await Promise.allSettled(others.map(send));
    const reached = sent.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    const failed = sent.find((one) => one.status === 'rejected');
    if (reached.length === 0 && failed) throw failed.reason;
    return reached;
  }

  async function ask(asker: Actor): Promise<string> {
    const { workspaceId, userId } = asker;
    if ((await keys.describe(workspaceId))?.state === 'active') return ASK_ADMIN.connectedNow;
    const asked = { kind: ASKED, owner: workspaceId, name: userId };
    if (!(await entries.takeOnce(asked, now()))) return ASK_ADMIN.askedBefore;
    let reached: string[] = [];
    try {
      const admin = await access.adminToAsk(asker);
      const known = typeof admin === 'object' ? admin.userId : undefined;
      reached = await messageAdmin(asker, known, ASK_ADMIN.message(mention(userId)));
    } finally {
      if (reached.length === 0) await entries.remove(asked);
    }
    return reached.length > 0
      ? ASK_ADMIN.asked(reached.map(mention).join(', '))
      : ASK_ADMIN.nobodyReached;
  }

  /** Tells whoever connected a key (nobody, if it was deployed with the app) that it is refused. */
  const onKeyRejected: JobHandler = async ({ workspaceId }) => {
    const about = { workspace: workspaceId };
    log.warn(about, KEY_REJECTED);
    homes.workspaceChanged(workspaceId);
    const connectedBy = (await keys.describe(workspaceId))?.connectedBy;
    const client = await clients.of(workspaceId);
    try {
      const told = { client, workspaceId };
      const reached = await messageAdmin(told, connectedBy, KEY_REJECTED_MESSAGE);
      if (reached.length === 0) log.warn(about, 'no admin could be told about a rejected API key');
    } catch (error) {
      // Not retried: a missing message is better than a repeated one.
      if (!(error instanceof MaybePostedError)) throw error;
    }
    return 'done';
  };

  return {
    /** “Ask @Ada”: asks the admin, or some admins, at most once a day for each person. */
    onAsk: async (press: Press) => press.reply(await ask(press)),
    onKeyRejected,
  };
}
