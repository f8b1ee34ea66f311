import type { ConnectDeps } from '../connect/connect.ts';
import type { SlackDeps } from '../deps.ts';
import type { Access } from '../directory/permissions.ts';
import type { AllowedUser } from '../listener/guard.ts';
import type { ModalRequest } from '../listener/open-modal.ts';
import { type CommandArgs, replyToCommand } from '../listener/replies.ts';
import { wordsForServiceTrouble } from '../words/errors.ts';

export type CommandDeps = SlackDeps & ConnectDeps;

/** One thing that `/design-request` does. Help is made from these. */
export type SubCommand = {
  /** The word that is typed; none for what happens without one. */
  name?: string;
  /** What may follow, for example `<card id or link>`. */
  usage?: string;
  summary: string;
  access: Access;
  /** Whether what was typed after it makes sense; if not, it may have been a title. Default: yes. */
  takes?(rest: string): boolean;
} & (
  | {
      /** @param rest what was typed after the sub-command */
      run(deps: CommandDeps, args: CommandArgs, rest: string, user: AllowedUser): Promise<void>;
    }
  | {
      modal(deps: CommandDeps, args: CommandArgs, rest: string): ModalRequest;
      /** Answers if Slack doesn't open the modal. Default: the error is reported. */
      notOpened?(deps: CommandDeps, args: CommandArgs, rest: string, error: unknown): Promise<void>;
    }
);

/** For `takes`: nothing may follow. */
export const nothing = (rest: string): boolean => rest === '';

/** Answers the person who typed the command, and nobody else. */
export const reply = replyToCommand;

/** Reads from the service and answers with what was read, or with words where it can't be read. */
export async function replyWith<Read>(
  args: CommandArgs,
  read: () => Promise<Read>,
  answer: (read: Read) => Promise<void>,
): Promise<void> {
  const outcome = await read().then(
    (value) => ({ value }),
    (error: unknown) => ({ trouble: wordsForServiceTrouble(error) }),
  );
  await ('trouble' in outcome ? reply(args, outcome.trouble) : answer(outcome.value));
}
