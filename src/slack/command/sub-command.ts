import { NotConnectedError } from '../../service/service-access.ts';
import { connectOffer } from '../connect/connection.ts';
import type { Access, AccessControl, AllowedUser } from '../listener/access.ts';
import type { ModalToOpen } from '../listener/open-modal.ts';
import { type CommandArgs, replyToCommand, workspaceOf } from '../listener/replies.ts';
import { buttonRow, section } from '../text/blocks.ts';

/** A subcommand of `/design-request`. The help is generated from these. */
export type SubCommand = {
  /** The first word; undefined for no subcommand. */
  name?: string;
  /** Its arguments, for example `<card id or link>`. */
  usage?: string;
  summary: string;
  access: Access;
  /** Whether the text after it makes sense; if not, it may be a title. Default: only without `usage`, it has to be empty. */
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
