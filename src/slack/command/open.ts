import { reportUnexpected } from '../listener/unexpected.ts';
import { formModal } from '../request-form/open.ts';
import { replyWithFormButton } from './help.ts';
import type { SubCommand } from './sub-command.ts';

/** What happens without a sub-command. If Slack opens no form, what was typed is not lost. */
export const open: SubCommand = {
  usage: '[title]',
  summary: 'opens the form',
  access: 'users',
  modal: (deps, { client, command }, rest) =>
    formModal(deps, { client, channelId: command.channel_id, typed: rest }),
  async notOpened({ log }, args, rest, error) {
    const words = (reference: string) =>
      `The form couldn’t be opened (${reference}). Try again with this button: it keeps what you typed.`;
    const text = reportUnexpected(log, error, 'a form could not be opened', { words });
    await replyWithFormButton(args, text, rest);
  },
};

export const createNew: SubCommand = {
  ...open,
  name: 'new',
  summary: 'the same, for a title that begins with a word of this list',
};
