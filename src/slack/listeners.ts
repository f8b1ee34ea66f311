import type {
  AllMiddlewareArgs,
  BlockAction,
  Context,
  SlackActionMiddlewareArgs,
  SlackCommandMiddlewareArgs,
  SlackEventMiddlewareArgs,
  SlackOptionsMiddlewareArgs,
  SlackViewMiddlewareArgs,
  ViewSubmitAction,
} from '@slack/bolt';
import type { Log } from '../ops/logging.ts';
import { newErrorReference } from '../references.ts';
import type { SlackClient } from './slack-client.ts';
import { unexpected } from './wording.ts';

export type CommandArgs = SlackCommandMiddlewareArgs & AllMiddlewareArgs;
export type ActionArgs = SlackActionMiddlewareArgs<BlockAction> & AllMiddlewareArgs;
export type ViewArgs = SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs;
export type OptionsArgs = SlackOptionsMiddlewareArgs<'block_suggestion'> & AllMiddlewareArgs;
export type LinkSharedArgs = SlackEventMiddlewareArgs<'link_shared'> & AllMiddlewareArgs;

/** The workspace that installed the app, as `authorize` found it: never that of whoever spoke. */
export function workspaceOf(context: Context): string {
  if (!context.teamId) throw new Error('a delivery without a workspace');
  return context.teamId;
}

/** Acknowledges a command, then runs it; whoever typed it hears of an unexpected error, with its reference. */
export function commandListener(log: Log, run: (args: CommandArgs) => Promise<void>) {
  return async (args: CommandArgs): Promise<void> => {
    await args.ack();
    try {
      await run(args);
    } catch (error) {
      const reference = newErrorReference();
      log.error({ err: error, ref: reference }, 'a command failed');
      await args.respond({ response_type: 'ephemeral', text: unexpected(reference) });
    }
  };
}

/** Acknowledges a pressed button, then acts; whoever pressed it hears of an unexpected error. */
export function actionListener(log: Log, run: (args: ActionArgs) => Promise<void>) {
  return async (args: ActionArgs): Promise<void> => {
    await args.ack();
    try {
      await run(args);
    } catch (error) {
      const reference = newErrorReference();
      log.error({ err: error, ref: reference, action: args.action.action_id }, 'an action failed');
      await replyPrivately(args, unexpected(reference));
    }
  };
}

/** Says something to the person who pressed a button, and to nobody else. */
export async function replyPrivately(args: ActionArgs, text: string): Promise<void> {
  const { body, client, respond } = args;
  if (body.response_url) {
    await respond({ response_type: 'ephemeral', replace_original: false, text });
    return;
  }
  const channel = body.channel?.id ?? stringOf(body.container?.channel_id);
  if (channel) await client.chat.postEphemeral({ channel, user: body.user.id, text });
  else await messagePrivately(client, body.user.id, text);
}

/** Writes to a person in the direct messages with this app. */
export async function messagePrivately(
  client: SlackClient,
  userId: string,
  text: string,
): Promise<void> {
  // chat.postMessage takes a person's id for the direct messages with that person.
  await client.chat.postMessage({ channel: userId, text });
}

export const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;
