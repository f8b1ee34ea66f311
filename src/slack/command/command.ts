import type { Button } from '@slack/types';
import type { Log } from '../../ops/logging.ts';
import { NotConnectedError } from '../../service/service-access.ts';
import { slackErrorCode } from '../client/errors.ts';
import type { Access, AccessControl, Allowed } from '../interaction/access.ts';
import { connectOrAskButton } from '../interaction/connection.ts';
import {
  type Command,
  type Press,
  reportUnexpected,
  type Started,
} from '../interaction/interactions.ts';
import { type ModalToOpen, openModal } from '../interaction/open-modal.ts';
import type { FormModals } from '../request-form/form-modals.ts';
import { FORM_ACTIONS } from '../request-form/ids.ts';
import type { Connect } from '../settings/connect.ts';
import type { SettingsModal } from '../settings/settings.ts';
import { button, buttonRow, section } from '../text/blocks.ts';
import { escapeCode, escapeMrkdwn, unescapeEntities } from '../text/escape.ts';
import { BUTTON_VALUE_MAX, clip, typedText } from '../text/limits.ts';
import {
  DID_YOU_MEAN,
  FOR_ADMINS,
  HELP_HEADING,
  SUB_COMMAND_WORDS,
  USAGE,
} from '../words/command.ts';

export const COMMAND = '/design-request';

/** A subcommand of `/design-request`. The help is generated from these. */
export type SubCommand = {
  /** The first word; undefined for the command without a subcommand. */
  name?: string;
  /** Its arguments, for example `<card id or link>`. */
  usage?: string;
  summary: string;
  access: Access;
  /** Whether `rest` makes sense; if not, all of it may be a title. By default: any text with a `usage`, none without. */
  accepts?(rest: string): boolean;
} & (
  | { run(command: Allowed<Command>, rest: string): Promise<void> }
  | {
      modal(command: Command, rest: string): ModalToOpen;
      /** Replies if the modal can't be opened. Default: the error is reported. */
      notOpened?(command: Command, rest: string, error: unknown): Promise<void>;
    }
);

/** Slack's error codes if more than three seconds have passed since the command. */
const isTooLate = (error: unknown) =>
  ['expired_trigger_id', 'exchanged_trigger_id'].includes(slackErrorCode(error) ?? '');

type SubCommandDeps = {
  formModals: FormModals;
  connect: Pick<Connect, 'modal' | 'askToDisconnect'>;
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
    modal: ({ channelId }, rest) => deps.formModals.ofNew({ channelId, typed: rest }),
    async notOpened(command, rest, error) {
      const reported = reportUnexpected(deps.log, error, 'could not open a form', {
        words: USAGE.notOpened,
      });
      const text = rest && isTooLate(error) ? USAGE.tookTooLong : reported;
      await answer(command, text, formButton(USAGE.openForm, rest));
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
      run: (command) => deps.connect.askToDisconnect(command),
    },
    {
      name: 'settings',
      ...SUB_COMMAND_WORDS.settings,
      access: 'admins',
      modal: ({ channelId }) => deps.settingsModal.open(channelId),
    },
    {
      name: 'help',
      ...SUB_COMMAND_WORDS.help,
      access: 'users',
      run: (command) => command.reply(buildHelp(subCommands)),
    },
    { ...open, name: 'new', ...SUB_COMMAND_WORDS.new },
  ];
  return subCommands;
}

export function createCommand(deps: SubCommandDeps & { access: AccessControl }) {
  const { access, log } = deps;
  const subCommands = createSubCommands(deps);
  const names = subCommands.flatMap(({ name }) => name ?? []);

  function subCommandOf(name: string | undefined): SubCommand {
    const subCommand = subCommands.find((one) => one.name === name);
    if (!subCommand) throw new Error(`nothing handles the subcommand ${name}`);
    return subCommand;
  }

  function understand({ text }: Command) {
    const { name, rest } = parseCommand(text, names);
    const subCommand = subCommandOf(name);
    const meant = name ? undefined : mistypedName(rest, names);
    return { subCommand, rest, meant, isAccepted: !meant && isSuitable(subCommand, rest) };
  }

  /** Runs the subcommand at the start of the text, or opens the form with the text as its title. */
  async function run(command: Started<Command>): Promise<void> {
    const { subCommand, rest, meant, isAccepted } = understand(command);
    if (isAccepted && 'modal' in subCommand) return openInModal(subCommand, command, rest);
    if (!(await command.isFirst)) return;
    const checked = await access.check(command, isAccepted ? subCommand.access : 'users');
    if ('denied' in checked) {
      return command.reply(await access.explainDenied(command, checked.denied));
    }
    if (meant) return askWhichWasMeant(command, meant, rest);
    await (isAccepted && 'run' in subCommand
      ? subCommand.run(checked.user, rest).catch((error) => replyWithServiceError(command, error))
      : offerForm(command, explain(subCommand)));
  }

  async function openInModal(
    { access: needed, modal, notOpened }: Extract<SubCommand, { modal: unknown }>,
    command: Started<Command>,
    rest: string,
  ): Promise<void> {
    try {
      await openModal({ access, log }, command, needed, modal(command, rest));
    } catch (error) {
      if (!notOpened) throw error;
      await notOpened(command, rest, error);
    }
  }

  /** Replies why the service can't be read, with the button that helps. @throws the error if it isn't about the service */
  async function replyWithServiceError(command: Command, error: unknown): Promise<void> {
    const text = await access.explainServiceError(command, error);
    if (!(error instanceof NotConnectedError)) return command.reply(text);
    await answer(command, text, connectOrAskButton(await access.adminToAsk(command)));
  }

  return {
    run,
    async runChosen(press: Started<Press>): Promise<void> {
      const { value: text = '', channelId } = press;
      if (names.includes(text) && channelId) await run({ ...press, channelId, text });
    },
  };
}

const isSuitable = ({ accepts, usage }: SubCommand, rest: string): boolean =>
  accepts ? accepts(rest) : rest === '' || usage !== undefined;

/** Mentions and links, which Slack marks up (`should_escape` in the manifest). */
const MARKED_UP = /<(?:([@#])[A-Z0-9]+\|([^<>|]+)|((?:https?|mailto):[^<>|]+)(?:\|([^<>|]+))?)>/g;

/** The text after the command as it was typed, without Slack's markup. */
function readTyped(text: string | undefined): string {
  const unmarked = (text ?? '').replaceAll(
    MARKED_UP,
    (_found, sign?: string, name?: string, address?: string, label?: string) =>
      sign ? `${sign}${name}` : (label ?? address ?? ''),
  );
  return typedText(unescapeEntities(unmarked)).trim();
}

/** Parses the text after the command. A first word that isn't a subcommand starts a title. */
export function parseCommand(text: string, names: readonly string[]) {
  const typed = readTyped(text);
  const [first = ''] = typed.split(/\s+/, 1);
  const name = names.find((known) => known === first.toLowerCase());
  return { name, rest: name === undefined ? typed : typed.slice(first.length).trim() };
}

/** Names shorter than this are too close to ordinary words, in letters. */
const MIN_NAME = 4;

/** The name that was probably meant, if a single word was typed. */
export const mistypedName = (typed: string, names: readonly string[]): string | undefined =>
  names.find((name) => name.length >= MIN_NAME && isOneMistakeAway(typed.toLowerCase(), name));

/** Whether one letter is missing, too many, or wrong, or swapped with its neighbor. */
function isOneMistakeAway(word: string, name: string): boolean {
  let start = 0;
  while (start < name.length && word[start] === name[start]) start += 1;
  let end = 0;
  const most = Math.min(word.length, name.length) - start;
  while (end < most && word.at(-1 - end) === name.at(-1 - end)) end += 1;
  const typed = word.slice(start, word.length - end);
  const meant = name.slice(start, name.length - end);
  const isSwapped = meant.length === 2 && typed === meant.charAt(1) + meant.charAt(0);
  return isSwapped || Math.max(typed.length, meant.length) <= 1;
}

function buildHelp(subCommands: readonly SubCommand[]): string {
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

/** Replies why the command can't be done, and offers the form with what was typed as the title. */
export function offerForm(command: Command, why: string): Promise<void> {
  const typed = readTyped(command.text);
  const text = USAGE.offerForm(why, escapeMrkdwn(clip(typed, TYPED_CHARS)));
  return answer(command, text, formButton(USAGE.requestIt, typed));
}

const answer = (command: Command, text: string, ...buttons: Button[]): Promise<void> =>
  command.reply(text, [section(text), ...buttonRow(buttons)]);

function formButton(label: string, title: string): Button {
  const more = title ? { value: clip(title, BUTTON_VALUE_MAX), about: title } : {};
  return button(FORM_ACTIONS.openWithTyped, label, more);
}

const TYPED_CHARS = 200;

/** The button that runs a subcommand; its value is the name. */
export const RUN_SUB_COMMAND = 'command-run';

/** Asks whether a single word was meant to be this subcommand, or is a title. */
function askWhichWasMeant(command: Command, name: string, typed: string): Promise<void> {
  const text = DID_YOU_MEAN.ask(name, escapeMrkdwn(clip(typed, TYPED_CHARS)));
  const meant = { value: name, about: `${COMMAND} ${name}` };
  const run = button(RUN_SUB_COMMAND, DID_YOU_MEAN.yes(name), meant);
  return answer(command, text, run, formButton(DID_YOU_MEAN.no, typed));
}
