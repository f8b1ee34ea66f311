import type { ConnectDeps } from '../connect/connect.ts';
import type { SlackDeps } from '../deps.ts';
import { type CommandArgs, replyToCommand, workspaceOf } from '../listeners.ts';
import type { Person } from '../people.ts';
import { refuseReading } from '../permissions.ts';
import { wordsForServiceTrouble } from '../service-trouble.ts';

export type CommandDeps = SlackDeps & ConnectDeps;

/** One thing that `/design-request` does. Help is made from these. */
export type SubCommand = {
  /** The word that is typed; none for what happens without one. */
  name?: string;
  /** What may follow, for example `<card id or link>`. */
  usage?: string;
  summary: string;
  /** @param rest what was typed after the sub-command */
  run(deps: CommandDeps, args: CommandArgs, rest: string): Promise<void>;
};

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

/** Runs only for somebody who may read cards; anybody else is told why not. */
export async function forReaders(
  deps: CommandDeps,
  args: CommandArgs,
  run: (person: Person) => Promise<void>,
): Promise<void> {
  const { client, command, context } = args;
  const workspaceId = workspaceOf(context);
  const person = await deps.people.whoIs(client, workspaceId, command.user_id);
  const refusal = refuseReading(person, await deps.settings.get(workspaceId));
  return refusal ? reply(args, refusal) : run(person);
}
