import type { KnownBlock } from '@slack/types';
import type { ConnectDeps } from '../connect/connect.ts';
import type { SlackDeps } from '../deps.ts';
import { type CommandArgs, workspaceOf } from '../listeners.ts';
import type { Person } from '../people.ts';
import { refuseReading } from '../permissions.ts';
import { wordsForReadError } from '../wording.ts';

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
export async function reply(
  { respond }: CommandArgs,
  text: string,
  blocks?: KnownBlock[],
): Promise<void> {
  await respond({ response_type: 'ephemeral', text, ...(blocks ? { blocks } : {}) });
}

/** Does what may fail for reasons of the service, and answers with words where it does. */
export async function replyWith(
  args: CommandArgs,
  answer: () => Promise<{ text: string; blocks?: KnownBlock[] }>,
): Promise<void> {
  const said = await answer().catch((error: unknown) => ({ text: wordsForReadError(error) }));
  await reply(args, said.text, 'blocks' in said ? said.blocks : undefined);
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
