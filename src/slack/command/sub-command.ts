import { NotConnectedError } from '../../service/service-access.ts';
import { FORM_ACTIONS } from '../request-form/ids.ts';
import type { Access, AccessControl, AllowedUser } from '../surface/access.ts';
import { connectOffer } from '../surface/connection.ts';
import type { ModalToOpen } from '../surface/open-modal.ts';
import { type CommandArgs, replyToCommand, workspaceOf } from '../surface/replies.ts';
import { button, buttonRow, section } from '../text/blocks.ts';
import { escapeCode, escapeMrkdwn } from '../text/escape.ts';
import { BUTTON_VALUE_MAX, clip } from '../text/limits.ts';
import { DID_YOU_MEAN, FOR_ADMINS, HELP_HEADING, USAGE } from '../words/command.ts';
import { readTyped } from './parse.ts';

/** A subcommand of `/design-request`. The help is generated from these. */
export type SubCommand = {
  /** The first word; undefined for the command without a subcommand. */
  name?: string;
  /** Its arguments, for example `<card id or link>`. */
  usage?: string;
  summary: string;
  access: Access;
  /**
   * Whether the text after it makes sense; if not, all of it may be a title. By default, any text makes sense if there
   * is a `usage`, and none does otherwise.
   */
  accepts?(rest: string): boolean;
} & (
  | {
      /** @param rest the text after the subcommand */
      run(args: CommandArgs, rest: string, user: AllowedUser): Promise<void>;
    }
  | {
      modal(args: CommandArgs, rest: string): ModalToOpen;
      /** Replies if the modal can't be opened. Default: the error is reported. */
      notOpened?(args: CommandArgs, rest: string, error: unknown): Promise<void>;
    }
);

/** Reads from the service and replies with the result, or why it can't be read. */
export async function replyWith<Read>(
  access: AccessControl,
  args: CommandArgs,
  read: () => Promise<Read>,
  answer: (read: Read) => Promise<void>,
): Promise<void> {
  let value: Read;
  try {
    value = await read();
  } catch (error) {
    return replyWhyNot(access, args, error);
  }
  return answer(value);
}

async function replyWhyNot(
  access: AccessControl,
  args: CommandArgs,
  error: unknown,
): Promise<void> {
  const { client, command, context } = args;
  const actor = { client, workspaceId: workspaceOf(context), userId: command.user_id };
  const text = await access.explainServiceError(actor, error);
  if (!(error instanceof NotConnectedError)) return replyToCommand(args, text);
  const admin = await access.adminToAsk(client, actor.workspaceId, actor.userId);
  await replyToCommand(args, text, [section(text), ...buttonRow([connectOffer(admin)])]);
}

export const COMMAND = '/design-request';

export function buildHelp(subCommands: readonly SubCommand[]): string {
  const lines = subCommands.map((subCommand) => {
    const who = subCommand.access === 'admins' ? FOR_ADMINS : '';
    return `• ${usageOf(subCommand)} — ${who}${subCommand.summary}`;
  });
  return `${HELP_HEADING}\n${lines.join('\n')}`;
}

const usageOf = ({ name, usage }: SubCommand) =>
  `\`${escapeCode([COMMAND, name, usage].filter(Boolean).join(' '))}\``;

const explain = (subCommand: SubCommand) =>
  subCommand.usage
    ? USAGE.typeLikeThis(usageOf(subCommand))
    : USAGE.takesNothing(subCommand.name ?? '');

/** Replies to a misused subcommand with its usage, and offers the form with what was typed. */
export const replyWithUsage = (args: CommandArgs, subCommand: SubCommand): Promise<void> =>
  offerForm(args, explain(subCommand));

/** Replies why the command can't be done, and offers the form with what was typed as the title. */
export function offerForm(args: CommandArgs, why: string): Promise<void> {
  const typed = readTyped(args.command.text);
  const text = USAGE.offerForm(why, escapeMrkdwn(clip(typed, TYPED_CHARS)));
  return replyWithFormButton(args, { text, button: USAGE.requestIt, title: typed });
}

export function replyWithFormButton(
  args: CommandArgs,
  { text, button: label, title }: { text: string; button: string; title: string },
): Promise<void> {
  const more = title ? { value: clip(title, BUTTON_VALUE_MAX), about: title } : {};
  const open = button(FORM_ACTIONS.openWithTyped, label, more);
  return replyToCommand(args, text, [section(text), ...buttonRow([open])]);
}

const TYPED_CHARS = 200;

/** The button that runs a subcommand; its value is the name. */
export const RUN_SUB_COMMAND = 'command-run';

/** Asks whether a single word was meant to be this subcommand, or is a title. */
export function askWhichWasMeant(args: CommandArgs, name: string, typed: string): Promise<void> {
  const text = DID_YOU_MEAN.ask(name, escapeMrkdwn(clip(typed, TYPED_CHARS)));
  const { openWithTyped } = FORM_ACTIONS;
  const buttons = [
    button(RUN_SUB_COMMAND, DID_YOU_MEAN.yes(name), { value: name, about: `${COMMAND} ${name}` }),
    button(openWithTyped, DID_YOU_MEAN.no, { value: typed, about: typed }),
  ];
  return replyToCommand(args, text, [section(text), ...buttonRow(buttons)]);
}
