import type { Log } from '../../ops/logging.ts';
import { slackErrorCode } from '../client/errors.ts';
import type { FormModals } from '../request-form/open.ts';
import type { Connect } from '../settings/connect.ts';
import type { Disconnect } from '../settings/disconnect.ts';
import type { SettingsModal } from '../settings/settings.ts';
import type { AccessControl, Actor } from '../surface/access.ts';
import { openModal } from '../surface/open-modal.ts';
import {
  type ActionArgs,
  type CommandArgs,
  channelOf,
  pressedValue,
  replyToCommand,
  reportUnexpected,
  workspaceOf,
} from '../surface/replies.ts';
import { SUB_COMMAND_WORDS, USAGE } from '../words/command.ts';
import { mistypedName, parseCommand, readTyped } from './parse.ts';
import {
  askWhichWasMeant,
  buildHelp,
  replyWithFormButton,
  replyWithUsage,
  type SubCommand,
} from './sub-command.ts';

/** Slack's codes for a form that opens more than three seconds after the command. */
const TOO_LATE = new Set(['expired_trigger_id', 'exchanged_trigger_id']);
const isTooLate = (error: unknown) => TOO_LATE.has(slackErrorCode(error) ?? '');

type SubCommandDeps = {
  formModals: FormModals;
  connect: Pick<Connect, 'modal'>;
  disconnect: Pick<Disconnect, 'ask'>;
  settingsModal: Pick<SettingsModal, 'open'>;
  status: SubCommand;
  list: SubCommand;
  lists: readonly SubCommand[];
  log: Log;
};

/** All subcommands, in the order of the help. */
export function createSubCommands(deps: SubCommandDeps): readonly SubCommand[] {
  /** Runs without a subcommand. If Slack doesn't open the form, what was typed is kept. */
  const open: SubCommand = {
    ...SUB_COMMAND_WORDS.open,
    access: 'users',
    modal: ({ command }, rest) =>
      deps.formModals.ofNew({ channelId: command.channel_id, typed: rest }),
    async notOpened(args, rest, error) {
      const reported = reportUnexpected(deps.log, error, 'could not open a form', {
        words: USAGE.notOpened,
      });
      const text = rest && isTooLate(error) ? USAGE.tookTooLong : reported;
      await replyWithFormButton(args, { text, button: USAGE.openForm, title: rest });
    },
  };
  const subCommands: readonly SubCommand[] = [
    open,
    deps.status,
    deps.list,
    ...deps.lists,
    {
      name: 'connect',
      ...SUB_COMMAND_WORDS.connect,
      access: 'admins',
      // A single word may be a key, which must not be repeated in a reply; keys contain no spaces.
      accepts: (rest) => !/\s/.test(rest),
      modal: () => deps.connect.modal(),
    },
    {
      name: 'disconnect',
      ...SUB_COMMAND_WORDS.disconnect,
      access: 'admins',
      run: (args, _rest, user) => deps.disconnect.ask(args, user),
    },
    {
      name: 'settings',
      ...SUB_COMMAND_WORDS.settings,
      access: 'admins',
      modal: ({ command }) => deps.settingsModal.open(command.channel_id),
    },
    {
      name: 'help',
      ...SUB_COMMAND_WORDS.help,
      access: 'users',
      run: (args) => replyToCommand(args, buildHelp(subCommands)),
    },
    { ...open, name: 'new', ...SUB_COMMAND_WORDS.new },
  ];
  return subCommands;
}

type ModalSubCommand = Extract<SubCommand, { modal: unknown }>;

type CommandDeps = {
  subCommands: readonly SubCommand[];
  access: AccessControl;
  log: Log;
};

/** The slash command, and the button that runs a subcommand. */
export function createCommand(parts: SubCommandDeps & { access: AccessControl }) {
  const deps = { ...parts, subCommands: createSubCommands(parts) };
  return {
    run: (args: CommandArgs) => runCommand(deps, args),
    /** The subcommand that someone confirmed after mistyping it. */
    async runChosen(args: ActionArgs): Promise<void> {
      const { action, body, client, context, respond } = args;
      const text = pressedValue(action);
      const channelId = channelOf(args);
      if (text === undefined || !namesOf(deps).includes(text) || channelId === undefined) return;
      const who = { user_id: body.user.id, channel_id: channelId, trigger_id: body.trigger_id };
      await runCommand(deps, { client, context, respond, command: { text, ...who } });
    },
  };
}

const namesOf = ({ subCommands }: CommandDeps) => subCommands.flatMap(({ name }) => name ?? []);

/**
 * Runs the subcommand at the start of the text, or opens the form with the text as its title.
 * People without access are told why.
 */
async function runCommand(deps: CommandDeps, args: CommandArgs): Promise<void> {
  const { client, command, context } = args;
  const names = namesOf(deps);
  const { name, rest } = parseCommand(readTyped(command.text), names);
  const subCommand = deps.subCommands.find((one) => one.name === name);
  if (!subCommand) throw new Error(`nothing handles the subcommand ${name}`);
  const actor = { client, workspaceId: workspaceOf(context), userId: command.user_id };
  const meant = name === undefined ? mistypedName(rest, names) : undefined;
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
  await subCommand.run(args, rest, checked.user);
}

async function openInModal(
  deps: CommandDeps,
  args: CommandArgs,
  { subCommand, actor, rest }: { subCommand: ModalSubCommand; actor: Actor; rest: string },
): Promise<void> {
  const opening = { ...actor, triggerId: args.command.trigger_id };
  try {
    await openModal(deps, opening, subCommand.access, subCommand.modal(args, rest));
  } catch (error) {
    if (!subCommand.notOpened) throw error;
    await subCommand.notOpened(args, rest, error);
  }
}
