import { slackErrorCode } from '../client/errors.ts';
import { reportUnexpected } from '../listener/unexpected.ts';
import { formModal } from '../request-form/open.ts';
import { SUB_COMMAND_WORDS, USAGE } from '../words/command.ts';
import { replyWithFormButton } from './help.ts';
import type { SubCommand } from './sub-command.ts';

/** Slack's codes for a form that opens more than three seconds after the command. */
const TOO_LATE = new Set(['expired_trigger_id', 'exchanged_trigger_id']);
const isTooLate = (error: unknown) => TOO_LATE.has(slackErrorCode(error) ?? '');

/** Runs without a subcommand. If Slack doesn't open the form, what was typed is kept. */
export const open: SubCommand = {
  ...SUB_COMMAND_WORDS.open,
  access: 'users',
  modal: (deps, { client, command }, rest) =>
    formModal(deps, { client, channelId: command.channel_id, typed: rest }),
  async notOpened({ log }, args, rest, error) {
    const reported = reportUnexpected(log, error, 'could not open a form', {
      words: USAGE.notOpened,
    });
    const text = rest && isTooLate(error) ? USAGE.tookTooLong : reported;
    await replyWithFormButton(args, { text, button: USAGE.openForm, title: rest });
  },
};

export const createNew: SubCommand = {
  ...open,
  name: 'new',
  ...SUB_COMMAND_WORDS.new,
};
