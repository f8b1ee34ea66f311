import { unescapeEntities } from '../text/escape.ts';
import { typedText } from '../text/limits.ts';

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

/** Parses the text after the command, from `readTyped`. A first word that isn't a subcommand starts a title. */
export function parseCommand(
  typed: string,
  names: readonly string[],
): { name: string | undefined; rest: string } {
  const [first = ''] = typed.split(/\s+/, 1);
  const name = names.find((known) => known === first.toLowerCase());
  return name === undefined
    ? { name, rest: typed }
    : { name, rest: typed.slice(first.length).trim() };
}

/** Names shorter than this are too close to ordinary words, in letters. */
const MIN_NAME = 4;
/** Two mistakes are accepted in names of at least this many letters, otherwise one. */
const LONG_NAME = 7;

/** The name that was probably meant, if a single word was typed. */
export function mistypedName(typed: string, names: readonly string[]): string | undefined {
  const word = typed.toLowerCase();
  return names.find((name) => {
    const allowed = name.length >= LONG_NAME ? 2 : 1;
    const isClose = Math.abs(name.length - word.length) <= allowed;
    return name.length >= MIN_NAME && isClose && mistakesBetween(word, name) <= allowed;
  });
}

/**
 * How many letters are missing, too many, wrong, or swapped with their neighbor (the
 * Damerau-Levenshtein distance, as optimal string alignment).
 */
function mistakesBetween(left: string, right: string): number {
  const rows = [Array.from({ length: right.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwapped =
        row > 1 &&
        column > 1 &&
        left[row - 1] === right[column - 2] &&
        left[row - 2] === right[column - 1];
      current.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          ...(isSwapped ? [at(row - 2, column - 2) + 1] : []),
        ),
      );
    }
  }
  return at(left.length, right.length);
}
