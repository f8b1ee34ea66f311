import { typedText } from '../text/typed.ts';
import { unescapeEntities } from '../text/unescape.ts';

export type ParsedCommand<Name extends string> =
  | { name: Name; rest: string }
  /** No sub-command stands first: everything typed is a title. */
  | { name: undefined; rest: string };

/** A person, a channel or an address, where the manifest has Slack mark them up (`should_escape`). */
const MARKED_UP = /<(?:([@#])[A-Z0-9]+\|([^<>|]+)|((?:https?|mailto):[^<>|]+)(?:\|([^<>|]+))?)>/g;

/** What was typed after the command, as it was typed. @param text as Slack gives it */
export function readTyped(text: string | undefined): string {
  const unmarked = (text ?? '').replaceAll(
    MARKED_UP,
    (_found, sign?: string, name?: string, address?: string, label?: string) =>
      sign ? `${sign}${name}` : (label ?? address ?? ''),
  );
  return typedText(unescapeEntities(unmarked)).trim();
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
