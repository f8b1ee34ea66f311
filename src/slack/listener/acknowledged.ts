import { RetryLaterError } from '../../jobs/retry-later.ts';
import { NotConnectedError } from '../../service/service-access.ts';
import type { SlackDeps } from '../deps.ts';
import { isFirstTime } from './once.ts';
import {
  type ActionArgs,
  type CommandArgs,
  channelOf,
  isComposer,
  type LinkSharedArgs,
  replyPrivately,
  replyToCommand,
  workspaceOf,
} from './replies.ts';
import { reportUnexpected } from './unexpected.ts';

type OnceDeps = Pick<SlackDeps, 'interactions' | 'directMessages' | 'now' | 'log'>;

/**
 * Acknowledges a command, then runs it, once; whoever typed it hears of an unexpected error, with its
 * reference. A command shows something and changes nothing, so it runs also where the database
 * can't tell whether it ran before.
 */
export function commandListener(deps: OnceDeps, run: (args: CommandArgs) => Promise<void>) {
  return async (args: CommandArgs): Promise<void> => {
    await args.ack();
    const isFirst = await isFirstTime(deps, args).catch((error) => {
      deps.log.warn({ err: error }, 'a command could not be noted down');
      return true;
    });
    if (!isFirst) return;
    try {
      await run(args);
    } catch (error) {
      await replyToCommand(args, reportUnexpected(deps.log, error, 'a command failed'));
    }
    const { context, command, respond } = args;
    const { user_id: userId, channel_id: channelId } = command;
    await deps.directMessages.noteUse({
      workspaceId: workspaceOf(context),
      ...{ userId, channelId, respond },
    });
  };
}

/** Acknowledges a pressed button, then acts, once; whoever pressed it hears of an unexpected error. */
export function actionListener(deps: OnceDeps, run: (args: ActionArgs) => Promise<void>) {
  return async (args: ActionArgs): Promise<void> => {
    await args.ack();
    try {
      if (await isFirstTime(deps, args)) await run(args);
    } catch (error) {
      const context = { action: args.action.action_id };
      await replyPrivately(
        args,
        reportUnexpected(deps.log, error, 'an action failed', { context }),
      );
    }
    const { context, body, respond } = args;
    await deps.directMessages.noteUse({
      workspaceId: workspaceOf(context),
      ...{ userId: body.user.id, channelId: channelOf(args), respond },
    });
  };
}

/**
 * Runs for the links of a message. In the composer they are tried once, whatever goes wrong: by the time
 * of a second attempt the message is posted or given up.
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
      // Both are ordinary, and not about this link.
      if (error instanceof NotConnectedError || error instanceof RetryLaterError) return;
      log.warn({ err: error }, 'a card link was not previewed');
    }
  };
}
