import { unescapeEntities } from '../text/escape.ts';
import { typedText } from '../text/limits.ts';

export type ParsedCommand<Name extends string> =
  | { name: Name; rest: string }
  /** Without a subcommand, everything typed is a title. */
  | { name: undefined; rest: string };

/** Mentions and links, which Slack marks up (`should_escape` in the manifest). */
const MARKED_UP = /<(?:([@#])[A-Z0-9]+\|([^<>|]+)|((?:https?|mailto):[^<>|]+)(?:\|([^<>|]+))?)>/g;

/** The text after the command as it was typed, without Slack's markup. */
export function readTyped(text: string | undefined): string {
  const unmarked = (text ?? '').replaceAll(
    MARKED_UP,
    (_found, sign?: string, name?: string, address?: string, label?: string) =>
      sign ? `${sign}${name}` : (label ?? address ?? ''),
  );
  return typedText(unescapeEntities(unmarked)).trim();
}

/**
 * Parses the text after the command. A first word that isn't a subcommand starts a title.
 *
 * @param typed from `readTyped`
 * @param names of the subcommands, in lower case
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
