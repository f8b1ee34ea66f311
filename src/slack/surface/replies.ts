import {
  type AllMiddlewareArgs,
  type BlockAction,
  type Context,
  RespondError,
  type RespondFn,
  type SlackActionMiddlewareArgs,
  type SlackCommandMiddlewareArgs,
  type SlackEventMiddlewareArgs,
  type SlackOptionsMiddlewareArgs,
  type SlackShortcutMiddlewareArgs,
  type SlackViewMiddlewareArgs,
  type ViewClosedAction,
  type ViewSubmitAction,
} from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import { WebClient } from '@slack/web-api';
import { type WorkspaceId, workspaceIdOf } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import { newErrorReference } from '../../references.ts';
import { type Entries, type EntryKey, onceKind } from '../../store/entries.ts';
import type { SlackClient } from '../client/slack-client.ts';
import { fitBlocks } from '../text/blocks.ts';
import { REPLY_TITLE, unexpected } from '../words/errors.ts';
import { buildNotice } from './views.ts';

/** A command as Slack delivers it. */
export type DeliveredCommandArgs = SlackCommandMiddlewareArgs & AllMiddlewareArgs;
/** A command, typed or chosen with a button. */
export type CommandArgs = Pick<DeliveredCommandArgs, 'client' | 'context' | 'respond'> & {
  command: Pick<DeliveredCommandArgs['command'], 'text' | 'user_id' | 'channel_id' | 'trigger_id'>;
};
export type ActionArgs = SlackActionMiddlewareArgs<BlockAction> & AllMiddlewareArgs;
export type ViewArgs = SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs;
export type ClosedViewArgs = SlackViewMiddlewareArgs<ViewClosedAction> & AllMiddlewareArgs;
export type OptionsArgs = SlackOptionsMiddlewareArgs<'block_suggestion'> & AllMiddlewareArgs;
export type ShortcutArgs = SlackShortcutMiddlewareArgs & AllMiddlewareArgs;
export type EventArgs = SlackEventMiddlewareArgs & AllMiddlewareArgs;
export type HomeOpenedArgs = SlackEventMiddlewareArgs<'app_home_opened'> & AllMiddlewareArgs;
export type DetailsArgs = SlackEventMiddlewareArgs<'entity_details_requested'> & AllMiddlewareArgs;
export type LinkSharedArgs = SlackEventMiddlewareArgs<'link_shared'> & AllMiddlewareArgs;
export type StepArgs = SlackEventMiddlewareArgs<'function_executed'> & AllMiddlewareArgs;

/** Whether the message with the links is still being typed. */
export const isComposer = ({ event }: LinkSharedArgs): boolean => event.source === 'composer';

/** The workspace that installed the app, from `authorize`: never the sender's. */
export function workspaceOf(context: Context): WorkspaceId {
  if (!context.teamId) throw new Error('a delivery without a workspace');
  return workspaceIdOf(context.teamId);
}

/** The arguments with the app's client for that workspace, from `authorize`. Bolt's own client has no token. */
export function withClient<Args extends Pick<AllMiddlewareArgs, 'client' | 'context'>>(
  args: Args,
): Args {
  const client: unknown = args.context.client;
  if (!(client instanceof WebClient)) throw new Error('a delivery without a client');
  return { ...args, client };
}

/** Replies to the person who typed a command, visible only to them. */
export function replyToCommand(
  { respond, client, command }: CommandArgs,
  text: string,
  allBlocks?: KnownBlock[],
): Promise<void> {
  const blocks = allBlocks && fitBlocks(allBlocks);
  const to = { client, respond, channelId: command.channel_id, userId: command.user_id };
  return sendPrivately(to, text, { blocks });
}

/** The channel of the message in which a button was pressed; undefined in a modal. */
export const channelOf = ({ body }: Pick<ActionArgs, 'body'>): string | undefined =>
  body.channel?.id ?? stringOf(body.container?.channel_id);

/** The thread with the message in which a button was pressed; undefined if it isn't a reply. */
export function threadTsOf({ body: { container } }: Pick<ActionArgs, 'body'>): string | undefined {
  const threadTs = stringOf(container?.thread_ts);
  return threadTs === container?.message_ts ? undefined : threadTs;
}

/** Whether a button was pressed in the Home tab, which has neither a channel nor a `response_url`. */
export const isInHome = ({ body }: ActionArgs): boolean => body.view?.type === 'home';

/** Whether it was pressed in the pane with a card's details, which has no `response_url` either. */
export const isInPane = ({ body }: Pick<ActionArgs, 'body'>): boolean =>
  body.container?.type === 'entity_detail';

/**
 * Whether it was pressed in a Work Object in one of our own messages, or in its pane. Slack doesn't type the container
 * of an action (docs.slack.dev/messaging/work-objects-implementation).
 */
export const isOfOwnWorkObject = ({ body: { container } }: Pick<ActionArgs, 'body'>): boolean =>
  container?.entity_url !== undefined && container.is_app_unfurl !== true;

/**
 * Replies to the person who pressed a button, visible only to them: in the thread of its message, or with a modal if it
 * was pressed in the Home tab, in the pane, or in a modal, in which nothing that was typed is lost.
 */
export function replyPrivately(
  args: ActionArgs,
  text: string,
  blocks?: KnownBlock[],
): Promise<void> {
  const { body, client } = args;
  const to = {
    ...{ client, userId: body.user.id, channelId: channelOf(args) },
    respond: body.response_url ? args.respond : undefined,
  };
  const isInModal = body.view?.type === 'modal';
  if (!isInModal && !isInHome(args) && !isInPane(args))
    return sendPrivately({ ...to, threadTs: threadTsOf(args) }, text, { blocks });
  const notice = buildNotice({ title: REPLY_TITLE, text });
  const view = blocks ? { ...notice, blocks } : notice;
  const open = isInModal ? client.views.push : client.views.open;
  const preferred = () => open({ trigger_id: body.trigger_id, view });
  return sendPrivately(to, text, { blocks, preferred });
}

/** Replies to the person who used a shortcut: where its message is, or in a direct message. */
export function replyToShortcut(
  { body, client, respond }: ShortcutArgs,
  text: string,
): Promise<void> {
  const message =
    body.type === 'message_action'
      ? {
          channelId: body.channel.id,
          threadTs: stringOf(body.message.thread_ts),
          respond: body.response_url ? respond : undefined,
        }
      : {};
  return sendPrivately({ client, userId: body.user.id, ...message }, text);
}

/**
 * Keeps a submitted modal open with what was typed, and says why at its first input. A modal without
 * inputs is replaced, since Slack shows an error only at an input of the view.
 */
export async function refuseSubmission({ view, ack }: ViewArgs, text: string): Promise<void> {
  const blockId = view.blocks.find(({ type }) => type === 'input')?.block_id;
  await ack(
    blockId === undefined
      ? { response_action: 'update', view: buildNotice({ title: REPLY_TITLE, text }) }
      : { response_action: 'errors', errors: { [blockId]: text } },
  );
}

/** The status with which a `response_url` rejects content, such as invalid blocks. */
const BAD_REQUEST = 400;

/**
 * Sends a message to one person by the first way that works: the preferred one, a reply, an ephemeral message in the
 * channel, a direct message. A `response_url` works five times within 30 minutes
 * (docs.slack.dev/interactivity/handling-user-interaction), and perhaps not in threads (slackapi/bolt-js#963).
 */
export async function sendPrivately(
  to: {
    client: SlackClient;
    respond?: RespondFn | undefined;
    channelId?: string | undefined;
    threadTs?: string | undefined;
    userId: string;
  },
  text: string,
  options: { blocks?: KnownBlock[] | undefined; preferred?: () => Promise<unknown> } = {},
): Promise<void> {
  const { client, respond, channelId: channel, threadTs, userId: user } = to;
  const { blocks, preferred } = options;
  const content = { text, ...(blocks ? { blocks } : {}) };
  const inThread = { ...content, ...(threadTs ? { thread_ts: threadTs } : {}) };
  const reply =
    respond &&
    (() => respond({ response_type: 'ephemeral', replace_original: false, ...inThread }));
  const ephemeral = channel && (() => client.chat.postEphemeral({ channel, user, ...inThread }));
  const ways = [
    preferred,
    ...(threadTs ? [ephemeral, reply] : [reply, ephemeral]),
    () => client.chat.postMessage({ channel: user, ...content }),
  ].filter((way) => typeof way === 'function');
  for (const [index, way] of ways.entries()) {
    try {
      await way();
      return;
    } catch (error) {
      // Content that was rejected once is rejected everywhere.
      const isContent = error instanceof RespondError && error.statusCode === BAD_REQUEST;
      if (isContent || index === ways.length - 1) throw error;
    }
  }
}

/** The value of the button that was pressed; undefined if it has none. */
export const pressedValue = (action: ActionArgs['action']): string | undefined =>
  'value' in action ? stringOf(action.value) : undefined;

export const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/**
 * How long handled commands, button presses, and submissions are remembered, in ms. A signature may be five minutes
 * ahead and is valid for five minutes, so a delivery can be replayed for ten
 * (https://docs.slack.dev/authentication/verifying-requests-from-slack).
 */
export const KEEP_INTERACTIONS_MS = 11 * 60_000;
const INTERACTION = onceKind('interaction', KEEP_INTERACTIONS_MS);

export const interactionNamed = (owner: WorkspaceId, name: string): EntryKey<true> => ({
  kind: INTERACTION,
  owner,
  name,
});

/** The entry that records an interaction. Undefined for searches in menus, which change nothing. */
export function interactionOf({ context }: { context: Context }): EntryKey<true> | undefined {
  const identity = stringOf(context.identity);
  return identity === undefined ? undefined : interactionNamed(workspaceOf(context), identity);
}

export type IsFirstDelivery = ReturnType<typeof createIsFirstDelivery>;

/**
 * Records an interaction and returns whether it is new. Slack and attackers can resend signed bytes
 * for minutes, also after a restart or to another replica; they must not take effect twice.
 *
 * Call it after the acknowledgment and before any effect.
 */
export const createIsFirstDelivery =
  ({ entries, now, log }: { entries: Entries; now: () => Date; log: Log }) =>
  async (delivery: { context: Context }): Promise<boolean> => {
    const interaction = interactionOf(delivery);
    if (!interaction) return true;
    const isFirst = await entries.takeOnce(interaction, now());
    const { owner: workspaceId, name: identity } = interaction;
    if (!isFirst)
      log.warn(
        { workspace: workspaceId, identity },
        'ignored an interaction that was delivered before',
      );
    return isFirst;
  };

/**
 * How long an acknowledgment, for which Slack waits 3 s, may wait for the data that it needs, in ms. The data is
 * usually in memory; after a restart or on another replica, it is loaded first. A form waits no longer, either.
 */
const WAIT_MS = 2_000;

/** Waits at most WAIT_MS. Work that is late goes on, but its result is ignored. */
export async function inTime<Result>(work: Promise<Result>, ifLate: Result): Promise<Result> {
  const { promise: timeout, resolve } = Promise.withResolvers<Result>();
  const timer = setTimeout(resolve, WAIT_MS, ifLate);
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/** Logs an unexpected error under a new reference (`E-…`). @returns the text to show, with the reference */
export function reportUnexpected(
  log: Log,
  error: unknown,
  what: string,
  {
    context = {},
    words = unexpected,
  }: {
    context?: Record<string, unknown>;
    words?: (reference: string) => string;
  } = {},
): string {
  const reference = newErrorReference();
  log.error({ err: error, ref: reference, ...context }, what);
  return words(reference);
}
