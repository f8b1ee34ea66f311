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
