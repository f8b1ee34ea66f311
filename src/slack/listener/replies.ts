import {
  type AllMiddlewareArgs,
  type BlockAction,
  type Context,
  RespondError,
  type SlackActionMiddlewareArgs,
  type SlackCommandMiddlewareArgs,
  type SlackEventMiddlewareArgs,
  type SlackOptionsMiddlewareArgs,
  type SlackViewMiddlewareArgs,
  type ViewSubmitAction,
} from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import { WebClient } from '@slack/web-api';
import { type WorkspaceId, workspaceIdOf } from '../../installations/workspace-id.ts';
import type { SlackClient } from '../client/slack-client.ts';
import { fitBlocks } from '../text/fit-blocks.ts';

export type CommandArgs = SlackCommandMiddlewareArgs & AllMiddlewareArgs;
export type ActionArgs = SlackActionMiddlewareArgs<BlockAction> & AllMiddlewareArgs;
export type ViewArgs = SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs;
export type OptionsArgs = SlackOptionsMiddlewareArgs<'block_suggestion'> & AllMiddlewareArgs;
export type LinkSharedArgs = SlackEventMiddlewareArgs<'link_shared'> & AllMiddlewareArgs;

/** Whether the links are in a message that is still being written. */
export const isComposer = ({ event }: LinkSharedArgs): boolean => event.source === 'composer';

/** The workspace that installed the app, as `authorize` found it: never that of whoever spoke. */
export function workspaceOf(context: Context): WorkspaceId {
  if (!context.teamId) throw new Error('a delivery without a workspace');
  return workspaceIdOf(context.teamId);
}

/** The client with which the app acts there, as `authorize` chose it. Bolt's own has no token. */
export function clientOf(context: Context): SlackClient {
  const client: unknown = context.client;
  if (!(client instanceof WebClient)) throw new Error('a delivery without a client');
  return client;
}

/** Answers the person who typed a command, and nobody else. */
export function replyToCommand(
  { respond, client, command }: CommandArgs,
  text: string,
  whole?: KnownBlock[],
): Promise<void> {
  const blocks = whole && fitBlocks(whole);
  const reply = { response_type: 'ephemeral' as const, text, ...(blocks ? { blocks } : {}) };
  const to = { client, channelId: command.channel_id, userId: command.user_id };
  return tellPrivately(to, text, [() => respond(reply)], blocks);
}

/** The channel of the message in which a button was pressed; undefined in a modal. */
export const channelOf = ({ body }: ActionArgs): string | undefined =>
  body.channel?.id ?? stringOf(body.container?.channel_id);

/** Says something to the person who pressed a button, and to nobody else. */
export function replyPrivately(args: ActionArgs, text: string): Promise<void> {
  const { body, client, respond } = args;
  const channelId = channelOf(args);
  const reply = { response_type: 'ephemeral' as const, replace_original: false, text };
  return tellPrivately({ client, channelId, userId: body.user.id }, text, [
    ...(body.response_url ? [() => respond(reply)] : []),
  ]);
}

/** What a `response_url` answers to blocks that Slack does not take. */
const BAD_REQUEST = 400;

/**
 * Says something to one person by the first way that works: what is given, a message in the channel
 * that only that person sees, a direct message. A `response_url` works five times in half an hour.
 */
export async function tellPrivately(
  to: { client: SlackClient; channelId: string | undefined; userId: string },
  text: string,
  first: (() => Promise<unknown>)[] = [],
  blocks?: KnownBlock[],
): Promise<void> {
  const { client, channelId: channel, userId: user } = to;
  const content = { text, ...(blocks ? { blocks } : {}) };
  const ways = [
    ...first,
    ...(channel ? [() => client.chat.postEphemeral({ channel, user, ...content })] : []),
    () => client.chat.postMessage({ channel: user, ...content }),
  ];
  for (const [index, way] of ways.entries()) {
    try {
      await way();
      return;
    } catch (error) {
      // What is refused for what it says is refused elsewhere too.
      const isContent = error instanceof RespondError && error.statusCode === BAD_REQUEST;
      if (isContent || index === ways.length - 1) throw error;
    }
  }
}

export const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;
