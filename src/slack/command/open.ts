import { workspaceOf } from '../listeners.ts';
import { openForm } from '../request-form/open.ts';
import { reportUnexpected } from '../unexpected.ts';
import { replyWithFormButton } from './help.ts';
import type { SubCommand } from './sub-command.ts';

/** What happens without a sub-command. Where Slack opens no form, what was typed is not lost. */
export const open: SubCommand = {
  usage: '[title]',
  summary: 'opens the form',
  async run(deps, args, rest) {
    const { client, command, context } = args;
    try {
      await openForm(deps, {
        client,
        triggerId: command.trigger_id,
        workspaceId: workspaceOf(context),
        channelId: command.channel_id,
        typed: rest,
      });
    } catch (error) {
      const words = (reference: string) =>
        `The form couldn’t be opened (${reference}). Try again with this button: it keeps what you typed.`;
      const text = reportUnexpected(deps.log, error, 'a form could not be opened', { words });
      await replyWithFormButton(args, text, rest);
    }
  },
};

export const createNew: SubCommand = {
  ...open,
  name: 'new',
  summary: 'the same, for a title that begins with a word of this list',
};
