import type {
  AllMiddlewareArgs,
  BlockAction,
  EnvelopedEvent,
  MessageShortcut,
  RespondFn,
  SlackActionMiddlewareArgs,
  SlackCommandMiddlewareArgs,
  SlackOptionsMiddlewareArgs,
  SlackShortcutMiddlewareArgs,
  SlackViewMiddlewareArgs,
  ViewClosedAction,
  ViewOutput,
  ViewSubmitAction,
} from '@slack/bolt';
import type { KnownBlock, SlackEvent } from '@slack/types';
import { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { type WorkspaceId, workspaceIdOf } from '../../installations/workspace-id.ts';
import { type EntryKey, onceKind } from '../../store/entries.ts';
import type { SlackClient } from '../client/slack-client.ts';
import { pressedAction } from '../text/blocks.ts';
import { REPLY_TITLE } from '../words/errors.ts';
import type { Actor } from './access.ts';
import { answer } from './replies.ts';
import { buildNotice } from './views.ts';

// What people do in Slack, read from what Bolt passes on. Only this file knows the shapes of these deliveries.

/** A command, a press, or a shortcut, and how to answer it. */
export type Interaction = Actor & {
  triggerId: string;
  /** Undefined in a modal or the Home tab, and for a shortcut that isn't in the menu of a message. */
  channelId: string | undefined;
  /** Undefined without a `response_url`, as in a modal, the Home tab, or the pane. */
  respond: RespondFn | undefined;
  /** Replies to the person, visible only to them. */
  reply(text: string, blocks?: KnownBlock[]): Promise<void>;
  once: Once;
};

/** The entry that records that it took effect. Undefined for what has no identity. */
type Once = EntryKey<true> | undefined;

/** A command, typed or chosen with a button. */
export type Command = Interaction & { channelId: string; text: string };

export type Shortcut = Interaction & {
  /** Undefined if it was chosen in the composer or in Slack's search. */
  onMessage: MessageShortcut | undefined;
};

/** A press of a button, a choice in a “⋯” menu, or a change of a field. */
export type Press = Interaction & {
  actionId: string;
  value: string | undefined;
  /** Slack's `action_ts`. */
  pressedAt: string;
  /** Only a message and its thread have a `response_url`. The pane shows a card's details. */
  from: 'message' | 'modal' | 'home' | 'pane';
  view: ViewOutput | undefined;
  /** Also the message whose card the pane shows. */
  message: PressedMessage | undefined;
  /** The Work Object, in a message or the pane. */
  entity: z.infer<typeof entity> | undefined;
};

type PressedMessage = {
  channel: string;
  ts: string;
  /** Undefined if it isn't a reply in a thread. */
  threadTs: string | undefined;
  isEphemeral: boolean;
  text: string | undefined;
  blocks: unknown;
  isInAttachment: boolean;
  /** The link, if it was pressed in a preview and Slack names it. */
  previewedUrl: string | undefined;
};

/** A search in a menu. */
export type Search = Actor & { view: ViewOutput | undefined };

/** A submitted modal. */
export type Submission = Actor & { view: ViewOutput; ack: ViewArgs['ack']; once: Once };

/** A modal that was closed. */
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

/**
 * A person in the workspace that installed the app, which `authorize` has found: never the sender's. With the identity of
 * what they did, from the intake.
 */
export function actorIn(args: Delivered, userId: string): Actor & { once: Once } {
  const { teamId, identity } = args.context;
  if (!teamId) throw new Error('a delivery without a workspace');
  const workspaceId = workspaceIdOf(teamId);
  const once = typeof identity === 'string' ? interactionNamed(workspaceId, identity) : undefined;
  return { client: clientOf(args), workspaceId, userId, once };
}

export function readCommand(args: CommandArgs): Command {
  const { command, respond } = args;
  const actor = actorIn(args, command.user_id);
  const to = { ...actor, channelId: command.channel_id, respond };
  const reply = (text: string, blocks?: KnownBlock[]) => answer(to, text, blocks);
  return { ...to, triggerId: command.trigger_id, text: command.text, reply };
}

export function readShortcut(args: ShortcutArgs): Shortcut {
  const { body } = args;
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

export function readPress(args: ActionArgs): Press {
  const { body } = args;
  const action = pressedAction(args.action);
  const place = container.safeParse(body.container).data;
  const to = {
    ...actorIn(args, body.user.id),
    channelId: body.channel?.id ?? place?.channel_id,
    respond: body.response_url ? args.respond : undefined,
  };
  const press = {
    ...to,
    triggerId: body.trigger_id,
    actionId: action.action_id,
    value: 'value' in action && typeof action.value === 'string' ? action.value : undefined,
    pressedAt: action.action_ts,
    from: placeOf(body, place?.type),
    view: body.view,
    message: messageOf(body, to.channelId, place),
    entity: entity.safeParse(body.container).data,
  };
  return { ...press, reply: (text, blocks) => replyToPress(press, text, blocks) };
}

function placeOf({ view }: BlockAction, container: string | undefined): Press['from'] {
  if (view) return view.type === 'home' ? 'home' : 'modal';
  return container === 'entity_detail' ? 'pane' : 'message';
}

function messageOf(
  { message }: BlockAction,
  channel: string | undefined,
  place: z.infer<typeof container> | undefined,
): PressedMessage | undefined {
  const ts = place?.message_ts;
  if (channel === undefined || ts === undefined) return undefined;
  return {
    ...{ channel, ts },
    threadTs: place?.thread_ts === ts ? undefined : place?.thread_ts,
    isEphemeral: place?.is_ephemeral === true,
    text: message?.text,
    blocks: message?.blocks,
    isInAttachment: place?.type === 'message_attachment',
    previewedUrl: place?.app_unfurl_url,
  };
}

/**
 * In the thread of the button's message, or with a modal if it was pressed in the Home tab, in the pane, or in a modal,
 * in which nothing that was typed is lost.
 */
async function replyToPress(
  press: Omit<Press, 'reply'>,
  text: string,
  blocks?: KnownBlock[],
): Promise<void> {
  const { client, from, triggerId: trigger_id, message } = press;
  if (from === 'message') return answer({ ...press, threadTs: message?.threadTs }, text, blocks);
  const notice = buildNotice({ title: REPLY_TITLE, text });
  const view = blocks ? { ...notice, blocks } : notice;
  const open = from === 'modal' ? client.views.push : client.views.open;
  await open({ trigger_id, view }).catch(() => answer(press, text, blocks));
}
