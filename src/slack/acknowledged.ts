import type { SlackDeps } from './deps.ts';
import { type ActionArgs, type CommandArgs, replyPrivately, replyToCommand } from './listeners.ts';
import { isFirstTime } from './once.ts';
import { reportUnexpected } from './unexpected.ts';

type OnceDeps = Pick<SlackDeps, 'interactions' | 'now' | 'log'>;

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
  };
}
