import { slackErrorCode } from '../client/errors.ts';
import type { SlackDeps } from '../deps.ts';
import type { Actor } from '../listener/access.ts';
import { reportUnexpected } from '../listener/delivery.ts';
import { openModal } from '../listener/open-modal.ts';
import {
  type ActionArgs,
  type CommandArgs,
  channelOf,
  pressedValue,
  replyToCommand,
  workspaceOf,
} from '../listener/replies.ts';
import { SUB_COMMAND_WORDS, USAGE } from '../words/command.ts';
import { askWhichWasMeant, buildHelp, replyWithFormButton, replyWithUsage } from './help.ts';
import { list } from './list.ts';
import { mistypedName, parseCommand, readTyped } from './parse.ts';
import { brands, tags, types } from './reference-lists.ts';
import { status } from './status.ts';
import type { SubCommand } from './sub-command.ts';

/** Slack's codes for a form that opens more than three seconds after the command. */
const TOO_LATE = new Set(['expired_trigger_id', 'exchanged_trigger_id']);
const isTooLate = (error: unknown) => TOO_LATE.has(slackErrorCode(error) ?? '');

/** Runs without a subcommand. If Slack doesn't open the form, what was typed is kept. */
const open: SubCommand = {
  ...SUB_COMMAND_WORDS.open,
  access: 'users',
  modal: (deps, { client, command }, rest) =>
    deps.formModals.ofNew({ client, channelId: command.channel_id, typed: rest }),
  async notOpened({ log }, args, rest, error) {
    const reported = reportUnexpected(log, error, 'could not open a form', {
      words: USAGE.notOpened,
    });
    const text = rest && isTooLate(error) ? USAGE.tookTooLong : reported;
    await replyWithFormButton(args, { text, button: USAGE.openForm, title: rest });
  },
};

const createNew: SubCommand = {
  ...open,
  name: 'new',
  ...SUB_COMMAND_WORDS.new,
};

const connect: SubCommand = {
  name: 'connect',
  ...SUB_COMMAND_WORDS.connect,
  access: 'admins',
  // A single word may be a key, which must not be repeated in a reply; keys contain no spaces.
  accepts: (rest) => !/\s/.test(rest),
  modal: (deps) => deps.connect.modal(),
};

const disconnect: SubCommand = {
  name: 'disconnect',
  ...SUB_COMMAND_WORDS.disconnect,
  access: 'admins',
  run: (deps, args, _rest, user) => deps.disconnect.ask(args, user),
};

const settings: SubCommand = {
  name: 'settings',
  ...SUB_COMMAND_WORDS.settings,
  access: 'admins',
  modal: (deps, { command }) => deps.settingsModal.open(command.channel_id),
};

const help: SubCommand = {
  name: 'help',
  ...SUB_COMMAND_WORDS.help,
  access: 'users',
  run: (_deps, args) => replyToCommand(args, buildHelp(SUB_COMMANDS)),
};

/** All subcommands, in the order of the help. */
export const SUB_COMMANDS: readonly SubCommand[] = [
  open,
  status,
  list,
  types,
  brands,
  tags,
  connect,
  disconnect,
  settings,
  help,
  createNew,
];

type ModalSubCommand = Extract<SubCommand, { modal: unknown }>;

const NAMES = SUB_COMMANDS.flatMap(({ name }) => name ?? []);

/**
 * Runs the subcommand at the start of the text, or opens the form with the text as its title.
 * People without access are told why.
 */
export async function runCommand(deps: SlackDeps, args: CommandArgs): Promise<void> {
  const { client, command, context } = args;
  const { name, rest } = parseCommand(readTyped(command.text), NAMES);
  const subCommand = SUB_COMMANDS.find((one) => one.name === name) ?? open;
  const actor = { client, workspaceId: workspaceOf(context), userId: command.user_id };
  const meant = name === undefined ? mistypedName(rest, NAMES) : undefined;
  const { accepts = (text) => text === '' || subCommand.usage !== undefined } = subCommand;
  const isAccepted = meant === undefined && accepts(rest);

  if (isAccepted && 'modal' in subCommand) {
    return openInModal(deps, args, { subCommand, actor, rest });
  }
  const checked = await deps.access.check(actor, isAccepted ? subCommand.access : 'users');
  if ('denied' in checked)
    return replyToCommand(args, await deps.access.explainDenied(actor, checked.denied));
  if (meant !== undefined) return askWhichWasMeant(args, meant, rest);
  if (!isAccepted || 'modal' in subCommand) return replyWithUsage(args, subCommand);
  await subCommand.run(deps, args, rest, checked.user);
}

async function openInModal(
  deps: SlackDeps,
  args: CommandArgs,
  { subCommand, actor, rest }: { subCommand: ModalSubCommand; actor: Actor; rest: string },
): Promise<void> {
  const opening = { ...actor, triggerId: args.command.trigger_id };
  try {
    await openModal(deps, opening, subCommand.access, subCommand.modal(deps, args, rest));
  } catch (error) {
    if (!subCommand.notOpened) throw error;
    await subCommand.notOpened(deps, args, rest, error);
  }
}

/** The subcommand that someone confirmed after mistyping it. */
export async function onRunSubCommand(deps: SlackDeps, args: ActionArgs): Promise<void> {
  const { action, body, client, context, respond } = args;
  const name = pressedValue(action);
  const channelId = channelOf(args);
  if (name === undefined || !NAMES.includes(name) || channelId === undefined) return;
  const command = {
    text: name,
    user_id: body.user.id,
    channel_id: channelId,
    trigger_id: body.trigger_id,
  };
  await runCommand(deps, { client, context, respond, command });
}
