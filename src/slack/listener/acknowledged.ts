import { RetryLaterError } from '../../jobs/retry-later.ts';
import { NotConnectedError } from '../../service/service-access.ts';
import type { SlackDeps } from '../deps.ts';
import { isFirstDelivery } from './once.ts';
import {
  type ActionArgs,
  channelOf,
  type DeliveredCommandArgs,
  isComposer,
  type LinkSharedArgs,
  replyPrivately,
  replyToCommand,
  replyToShortcut,
  type ShortcutArgs,
  workspaceOf,
} from './replies.ts';
import { reportUnexpected } from './unexpected.ts';

type ListenerDeps = Pick<SlackDeps, 'entries' | 'directMessages' | 'now' | 'log'>;

/**
 * Acknowledges a command, then runs it once. Commands only show things, so they also run if the
 * database can't tell whether this one ran before. An unexpected error is reported to the person
 * who typed it, with its reference.
 */
export function commandListener(
  deps: ListenerDeps,
  run: (args: DeliveredCommandArgs) => Promise<void>,
) {
  return async (args: DeliveredCommandArgs): Promise<void> => {
    await args.ack();
    if (!(await isNew(deps, args, 'command'))) return;
    try {
      await run(args);
    } catch (error) {
      await replyToCommand(args, reportUnexpected(deps.log, error, 'a command failed'));
    }
    const { context, command, respond } = args;
    const { user_id: userId, channel_id: channelId } = command;
    await deps.directMessages.rememberUse({
      workspaceId: workspaceOf(context),
      userId,
      channelId,
      respond,
    });
  };
}

/** The same for a button, but without the database nothing runs, because buttons change things. */
export function actionListener(deps: ListenerDeps, run: (args: ActionArgs) => Promise<void>) {
  return async (args: ActionArgs): Promise<void> => {
    await args.ack();
    try {
      if (await isFirstDelivery(deps, args)) await run(args);
    } catch (error) {
      const context = { action: args.action.action_id };
      await replyPrivately(args, reportUnexpected(deps.log, error, 'a button failed', { context }));
    }
    const { context, body, respond } = args;
    await deps.directMessages.rememberUse({
      workspaceId: workspaceOf(context),
      userId: body.user.id,
      channelId: channelOf(args),
      respond,
    });
  };
}

/**
 * Acknowledges a shortcut, then runs it once. Like commands, shortcuts only show things.
 *
 * @param notOpened tells the person, with the error's reference, if it fails
 */
export function shortcutListener(
  deps: ListenerDeps,
  notOpened: (reference: string) => string,
  run: (args: ShortcutArgs) => Promise<void>,
) {
  return async (args: ShortcutArgs): Promise<void> => {
    await args.ack();
    if (!(await isNew(deps, args, 'shortcut'))) return;
    try {
      await run(args);
    } catch (error) {
      const text = reportUnexpected(deps.log, error, 'a shortcut failed', { words: notOpened });
      await replyToShortcut(args, text);
    }
    const { context, body, respond } = args;
    if (body.type !== 'message_action') return;
    await deps.directMessages.rememberUse({
      workspaceId: workspaceOf(context),
      userId: body.user.id,
      channelId: body.channel.id,
      respond,
    });
  };
}

/** Whether something that only shows things is new. It also runs if the database can't tell. */
function isNew(
  deps: ListenerDeps,
  args: Parameters<typeof isFirstDelivery>[1],
  what: string,
): Promise<boolean> {
  return isFirstDelivery(deps, args).catch((error) => {
    deps.log.warn(
      { err: error },
      `could not record a ${what}, so it may run twice if Slack repeats it`,
    );
    return true;
  });
}

/**
 * Handles the links in a message. Links in the composer get one attempt: by the time of a retry,
 * the message has been posted or discarded.
 */
export function linksListener(
  { log }: Pick<SlackDeps, 'log'>,
  run: (args: LinkSharedArgs) => Promise<void>,
) {
  return async (args: LinkSharedArgs): Promise<void> => {
    try {
      await run(args);
    } catch (error) {
      if (!isComposer(args)) throw error;
      // Both are expected, and neither is about this link.
      if (error instanceof NotConnectedError || error instanceof RetryLaterError) return;
      log.warn({ err: error }, 'could not preview a card link in the composer');
    }
  };
}
