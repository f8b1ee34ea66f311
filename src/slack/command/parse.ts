export type ParsedCommand<Name extends string> =
  | { name: Name; rest: string }
  /** No sub-command stands first: everything typed is a title. */
  | { name: undefined; rest: string };

/**
 * Reads what was typed after the command. A first word that is no sub-command begins a title.
 *
 * @param text as Slack gives it
 * @param names of the sub-commands; compared without regard to case
 */
export function parseCommand<Name extends string>(
  text: string,
  names: readonly Name[],
): ParsedCommand<Name> {
  const trimmed = text.trim();
  const [first = ''] = trimmed.split(/\s+/, 1);
  const name = names.find((known) => known === first.toLowerCase());
  return name === undefined
    ? { name, rest: trimmed }
    : { name, rest: trimmed.slice(first.length).trim() };
}
