import {
  type AllMiddlewareArgs,
  type BlockAction,
  type EnvelopedEvent,
  RespondError,
  type SlackActionMiddlewareArgs,
  type SlackCommandMiddlewareArgs,
  type SlackOptionsMiddlewareArgs,
  type SlackShortcutMiddlewareArgs,
  type SlackViewMiddlewareArgs,
  type ViewClosedAction,
  type ViewOutput,
  type ViewSubmitAction,
} from '@slack/bolt';
import type { KnownBlock, SlackEvent } from '@slack/types';
import { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { type WorkspaceId, workspaceIdOf } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import { newErrorReference } from '../../references.ts';
import { type EntryKey, onceKind } from '../../store/entries.ts';
import { showInChannel } from '../client/direct-messages.ts';
import type { SlackClient } from '../client/slack-client.ts';
import { fitBlocks, pressedAction } from '../text/blocks.ts';
import { unexpected } from '../words/errors.ts';
import { FORM } from '../words/request-form.ts';
import type { Actor } from './access.ts';
import { buildNotice } from './views.ts';

// Reads what people do from Bolt's deliveries, whose shapes only this file knows, and answers.

/** The entry that records that something took effect. Undefined for what has no identity. */
type Once = EntryKey<true> | undefined;

/** A command, typed or chosen with a button. */
export type Command = ReturnType<typeof readCommand>;
export type Shortcut = ReturnType<typeof readShortcut>;
/** A press of a button, a choice in a “⋯” menu, or a change of a field. */
export type Press = ReturnType<typeof readPress>;
export type Interaction = Command | Shortcut | Press;
/** Still being recorded: nothing may take effect until `isFirst` says that it was delivered for the first time. */
export type Started<Done extends Interaction> = Done & { isFirst: Promise<boolean> };
/** A search in a menu. */
export type Search = Actor & { view: ViewOutput | undefined };
export type Submission = Actor & { view: ViewOutput; ack: ViewArgs['ack']; once: Once };
export type ClosedView = Actor & { view: ViewOutput };
/** An event that is about a person. */
export type PersonalEvent<Type extends SlackEvent['type'] = SlackEvent['type']> = Actor & {
  body: EnvelopedEvent<Extract<SlackEvent, { type: Type }>>;
};

export type CommandArgs = SlackCommandMiddlewareArgs & AllMiddlewareArgs;
export type ActionArgs = SlackActionMiddlewareArgs<BlockAction> & AllMiddlewareArgs;
export type ShortcutArgs = SlackShortcutMiddlewareArgs & AllMiddlewareArgs;
export type ViewArgs = SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs;
export type ClosedViewArgs = SlackViewMiddlewareArgs<ViewClosedAction> & AllMiddlewareArgs;
export type OptionsArgs = SlackOptionsMiddlewareArgs<'block_suggestion'> & AllMiddlewareArgs;

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

type Delivered = Pick<AllMiddlewareArgs, 'context'>;

/** The app's client for the workspace, from `authorize`. Bolt's own client has no token. */
export function clientOf({ context }: Delivered): SlackClient {
  const client: unknown = context.client;
  if (!(client instanceof WebClient)) throw new Error('a delivery without a client');
  return client;
}

/** In the workspace that `authorize` found, never the sender's. `once` comes from the intake. */
export function actorIn(args: Delivered, userId: string): Actor & { once: Once } {
  const { teamId, identity } = args.context;
  if (!teamId) throw new Error('a delivery without a workspace');
  const workspaceId = workspaceIdOf(teamId);
  const once = typeof identity === 'string' ? interactionNamed(workspaceId, identity) : undefined;
  return { client: clientOf(args), workspaceId, userId, once };
}

export function readCommand(args: CommandArgs) {
  const { command } = args;
  const to = {
    ...actorIn(args, command.user_id),
    channelId: command.channel_id,
    respond: command.response_url ? args.respond : undefined,
  };
  const reply = (text: string, blocks?: KnownBlock[]) => answer(to, text, blocks);
  return { ...to, triggerId: command.trigger_id, text: command.text, reply };
}

export function readShortcut(args: ShortcutArgs) {
  const { body } = args;
  /** Undefined if it was chosen in the composer or in Slack's search. */
  const onMessage = body.type === 'message_action' ? body : undefined;
  const to = {
    ...actorIn(args, body.user.id),
    channelId: onMessage?.channel.id,
    respond: onMessage?.response_url ? args.respond : undefined,
  };
  const reply = (text: string, blocks?: KnownBlock[]) =>
    answer({ ...to, threadTs: onMessage?.message.thread_ts }, text, blocks);
  return { ...to, triggerId: body.trigger_id, onMessage, reply };
}

const optionalText = z.string().optional().catch(undefined);
/** Slack doesn't type the container of an action (docs.slack.dev/messaging/work-objects-implementation). */
const container = z.object({
  type: optionalText,
  channel_id: optionalText,
  message_ts: optionalText,
  thread_ts: optionalText,
  is_ephemeral: z.boolean().catch(false),
  app_unfurl_url: optionalText,
});
const entity = z
  .object({
    entity_url: z.string(),
    external_ref: z
      .object({ id: z.string(), type: z.string().exactOptional() })
      .optional()
      .catch(undefined),
    is_app_unfurl: z.boolean().catch(false),
  })
  .transform(({ entity_url: url, external_ref: reference, is_app_unfurl }) => ({
    url,
    reference,
    /** Whether it is in one of our own messages, or in the pane that was opened there. */
    isOurs: !is_app_unfurl,
  }));

export function readPress(args: ActionArgs) {
  const { body } = args;
  const { view, trigger_id: triggerId } = body;
  const action = pressedAction(args.action);
  const place = container.safeParse(body.container).data;
  const from = surfaceOf(body, place?.type);
  const channelId = body.channel?.id ?? place?.channel_id;
  const message = messageOf(body, channelId, place);
  const to = {
    ...actorIn(args, body.user.id),
    /** Undefined in a modal or the Home tab. */
    channelId,
    /** Undefined in a modal, the Home tab, or the pane, which have no `response_url`. */
    respond: body.response_url ? args.respond : undefined,
  };
  return {
    ...to,
    triggerId,
    from,
    view,
    message,
    actionId: action.action_id,
    value: 'value' in action && typeof action.value === 'string' ? action.value : undefined,
    pressedAt: action.action_ts,
    /** The Work Object, in a message or the pane. */
    entity: entity.safeParse(body.container).data,
    /** In the message's thread, or else with a modal, so that nothing that was typed is lost. */
    async reply(text: string, blocks?: KnownBlock[]): Promise<void> {
      if (from === 'message') return answer({ ...to, threadTs: message?.threadTs }, text, blocks);
      const notice = buildNotice({ title: FORM.title, text });
      const reply = blocks ? { ...notice, blocks } : notice;
      const open = from === 'modal' ? to.client.views.push : to.client.views.open;
      await open({ trigger_id: triggerId, view: reply }).catch(() => answer(to, text, blocks));
    },
  };
}

/** The pane is the one beside a Work Object. Nothing can be pushed onto a view of an unknown kind. */
function surfaceOf({ view }: BlockAction, type: string | undefined) {
  if (type === 'entity_detail') return 'pane';
  return view?.type === 'home' || view?.type === 'modal' ? view.type : 'message';
}

/** The button's message, or the one whose card the pane shows. */
function messageOf(
  { message }: BlockAction,
  channel: string | undefined,
  place: z.infer<typeof container> | undefined,
) {
  const ts = place?.message_ts;
  if (channel === undefined || ts === undefined) return undefined;
  return {
    channel,
    ts,
    /** Undefined if it isn't a reply in a thread. */
    threadTs: place?.thread_ts === ts ? undefined : place?.thread_ts,
    isEphemeral: place?.is_ephemeral === true,
    text: message?.text,
    blocks: message?.blocks as unknown,
    isInAttachment: place?.type === 'message_attachment',
    /** The link, if it was pressed in a preview and Slack names it. */
    previewedUrl: place?.app_unfurl_url,
  };
}

/**
 * Keeps a submitted modal open with what was typed, and says why at its first input. A modal without
 * inputs is replaced, since Slack shows an error only at an input of the view.
 */
export async function refuseSubmission({ view, ack }: Submission, text: string): Promise<void> {
  const blockId = view.blocks.find(({ type }) => type === 'input')?.block_id;
  await ack(
    blockId === undefined
      ? { response_action: 'update', view: buildNotice({ title: FORM.title, text }) }
      : { response_action: 'errors', errors: { [blockId]: text } },
  );
}

const BAD_REQUEST = 400;

/** Answers one person, visible only to them: in the channel, or else in a direct message. */
async function answer(
  to: Parameters<typeof showInChannel>[0],
  text: string,
  blocks?: KnownBlock[],
): Promise<void> {
  const message = { text, ...(blocks ? { blocks: fitBlocks(blocks) } : {}) };
  // A `response_url` rejects content that would be rejected everywhere, such as invalid blocks.
  const isFinal = (error: unknown) =>
    error instanceof RespondError && error.statusCode === BAD_REQUEST;
  if (await showInChannel(to, message, isFinal)) return;
  await to.client.chat.postMessage({ channel: to.userId, ...message });
}

/**
 * How long an acknowledgment, for which Slack waits 3 s, may wait for the data that it needs, in ms. The data is
 * usually in memory; after a restart or on another replica, it is loaded first. A form waits no longer, either.
 */
const WAIT_MS = 2_000;

/** Waits at most `waitMs`. Work that is late goes on, but its result is ignored. */
export async function inTime<Result>(work: Promise<Result>, ifLate: Result, waitMs = WAIT_MS) {
  const { promise: timeout, resolve } = Promise.withResolvers<Result>();
  const timer = setTimeout(resolve, waitMs, ifLate);
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/** Logs an unexpected error under a new reference (`E-…`). @returns the text to show, with the reference */
export function reportUnexpected(
  log: Log,
  error: unknown,
  what: string,
  { context = {}, words = unexpected }: { context?: object; words?: typeof unexpected } = {},
): string {
  const reference = newErrorReference();
  log.error({ err: error, ref: reference, ...context }, what);
  return words(reference);
}
