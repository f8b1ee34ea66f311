import { typedText } from '../text/typed.ts';
import { unescapeEntities } from '../text/unescape.ts';

export type ParsedCommand<Name extends string> =
  | { name: Name; rest: string }
  /** No sub-command stands first: everything typed is a title. */
  | { name: undefined; rest: string };

/** What was typed after the command, as it was typed. @param text as Slack gives it */
export function readTyped(text: string | undefined): string {
  return typedText(unescapeEntities(text ?? '')).trim();
}

/**
 * Reads what was typed after the command. A first word that is no sub-command begins a title.
 *
 * @param typed from `readTyped`
 * @param names of the sub-commands; compared without regard to case
 */
export function parseCommand<Name extends string>(
  typed: string,
  names: readonly Name[],
): ParsedCommand<Name> {
  const [first = ''] = typed.split(/\s+/, 1);
  const name = names.find((known) => known === first.toLowerCase());
  return name === undefined
    ? { name, rest: typed }
    : { name, rest: typed.slice(first.length).trim() };
}
