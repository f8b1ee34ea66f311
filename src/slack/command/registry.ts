import { openConnect } from '../connect/connect.ts';
import { askToDisconnect } from '../connect/disconnect.ts';
import { type CommandArgs, workspaceOf } from '../listeners.ts';
import { openSettings } from '../settings/settings.ts';
import { brands, tags, types } from './catalogue.ts';
import { buildHelp, misused } from './help.ts';
import { list } from './list.ts';
import { createNew, open } from './open.ts';
import { parseCommand, readTyped } from './parse.ts';
import { status } from './status.ts';
import { type CommandDeps, reply, type SubCommand } from './sub-command.ts';

const byAdmin = ({ command, context }: CommandArgs) => ({
  triggerId: command.trigger_id,
  workspaceId: workspaceOf(context),
  userId: command.user_id,
});

const connect: SubCommand = {
  name: 'connect',
  summary: 'admins: connects your design service’s API key',
  // One word after it may be a key, which is not shown again; a key holds no spaces.
  run: (deps, args, rest) =>
    /\s/.test(rest) ? misused(args, connect) : openConnect(deps, args.client, byAdmin(args)),
};

const disconnect: SubCommand = {
  name: 'disconnect',
  summary: 'admins: deletes the API key',
  run: (deps, args) => askToDisconnect(deps, args),
};

const settings: SubCommand = {
  name: 'settings',
  summary: 'admins: how cards are shown, and to whom',
  run: (deps, args) => openSettings(deps, args.client, byAdmin(args)),
};

const help: SubCommand = {
  name: 'help',
  summary: 'everything that you can type',
  run: (_deps, args) => reply(args, buildHelp(SUB_COMMANDS)),
};

/** Takes nothing after it: what was typed there may be a title, and is offered to the form. */
const alone = (subCommand: SubCommand): SubCommand => ({
  ...subCommand,
  run: (deps, args, rest) =>
    rest === '' ? subCommand.run(deps, args, rest) : misused(args, subCommand),
});

/** Everything that `/design-request` does, in the order in which help lists it. */
export const SUB_COMMANDS: readonly SubCommand[] = [
  open,
  createNew,
  status,
  alone(list),
  alone(types),
  brands,
  alone(tags),
  connect,
  alone(disconnect),
  alone(settings),
  alone(help),
];

const NAMES = SUB_COMMANDS.flatMap(({ name }) => name ?? []);

/** Runs what was typed: the sub-command that stands first, or the form with everything as its title. */
export async function runCommand(deps: CommandDeps, args: CommandArgs): Promise<void> {
  const { name, rest } = parseCommand(readTyped(args.command.text), NAMES);
  const known = SUB_COMMANDS.find((subCommand) => subCommand.name === name) ?? open;
  await known.run(deps, args, rest);
}
