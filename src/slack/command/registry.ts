import { connectModal } from '../connect/connect.ts';
import { askToDisconnect } from '../connect/disconnect.ts';
import { checkAccess } from '../listener/guard.ts';
import { openModal } from '../listener/open-modal.ts';
import { type CommandArgs, workspaceOf } from '../listener/replies.ts';
import { settingsModal } from '../settings/settings.ts';
import { wordsForDenied } from '../words/errors.ts';
import { brands, tags, types } from './catalogue.ts';
import { buildHelp, misused } from './help.ts';
import { list } from './list.ts';
import { createNew, open } from './open.ts';
import { parseCommand, readTyped } from './parse.ts';
import { status } from './status.ts';
import { type CommandDeps, nothing, reply, type SubCommand } from './sub-command.ts';

const connect: SubCommand = {
  name: 'connect',
  summary: 'admins: connects your design service’s API key',
  access: 'admins',
  // One word after it may be a key, which is not shown again; a key holds no spaces.
  takes: (rest) => !/\s/.test(rest),
  modal: connectModal,
};

const disconnect: SubCommand = {
  name: 'disconnect',
  summary: 'admins: deletes the API key',
  access: 'admins',
  takes: nothing,
  run: (deps, args, _rest, user) => askToDisconnect(deps, args, user),
};

const settings: SubCommand = {
  name: 'settings',
  summary: 'admins: how cards are shown, and to whom',
  access: 'admins',
  takes: nothing,
  modal: settingsModal,
};

const help: SubCommand = {
  name: 'help',
  summary: 'everything that you can type',
  access: 'users',
  takes: nothing,
  run: (_deps, args) => reply(args, buildHelp(SUB_COMMANDS)),
};

/** Everything that `/design-request` does, in the order in which help lists it. */
export const SUB_COMMANDS: readonly SubCommand[] = [
  open,
  createNew,
  status,
  list,
  types,
  brands,
  tags,
  connect,
  disconnect,
  settings,
  help,
];

const NAMES = SUB_COMMANDS.flatMap(({ name }) => name ?? []);

/**
 * Runs what was typed, the sub-command it starts with or the form with everything as its title, for
 * those who may; everyone else is told why not.
 */
export async function runCommand(deps: CommandDeps, args: CommandArgs): Promise<void> {
  const { client, command, context } = args;
  const { name, rest } = parseCommand(readTyped(command.text), NAMES);
  const known = SUB_COMMANDS.find((subCommand) => subCommand.name === name) ?? open;
  const actor = { client, workspaceId: workspaceOf(context), userId: command.user_id };
  const isMeant = known.takes?.(rest) ?? true;

  if (isMeant && 'modal' in known) {
    const opening = { ...actor, triggerId: command.trigger_id };
    try {
      await openModal(deps, opening, known.access, known.modal(deps, args, rest));
    } catch (error) {
      if (!known.notOpened) throw error;
      await known.notOpened(deps, args, rest, error);
    }
    return;
  }
  const checked = await checkAccess(deps, actor, isMeant ? known.access : 'users');
  if ('denied' in checked) return reply(args, wordsForDenied(checked.denied));
  if (!isMeant || 'modal' in known) return misused(args, known);
  await known.run(deps, args, rest, checked.user);
}
