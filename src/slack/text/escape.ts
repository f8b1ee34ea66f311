import { isBlank, wellFormed } from './limits.ts';
import { honestLabel, linkTarget } from './link-target.ts';

// Slack has no way to escape its formatting characters, and zero-width spaces do not help: Slack takes them
// for a word boundary and then formats all the more (jsx-slack relies on it: "exact mode"). So where Slack
// could format, the character is replaced by one that looks the same. The full-width forms count for Slack too.
const LOOK_ALIKE: Record<string, string> = {
  '*': '\u2217',
  '\uff0a': '\u2217',
  _: '\u02cd',
  '\uff3f': '\u02cd',
  '~': '\u223c',
  '\uff5e': '\u223c',
  '`': '\u02cb',
  '\uff40': '\u02cb',
};
// Between two letters or digits (snake_case, 3*4) and between two spaces (5 * 3) Slack formats nothing, so the
// text stays as it is and can be copied. A backtick is always replaced.
const MARKER =
  '(?<![\\p{L}\\p{N}])(?!(?<=\\s).\\s)[*_~\\uff0a\\uff3f\\uff5e]|(?!(?<=\\s).\\s)[*_~\\uff0a\\uff3f\\uff5e](?![\\p{L}\\p{N}])|[`\\uff40]';
// ":name:" is an emoji. Digits alone are a time code (00:01:30), but for the two emoji that are called so.
const EMOJI = ":(?=(?!(?!100:|1234:)\\d+:)[\\p{L}\\p{M}\\p{N}_+'-]{1,100}:)";
// "@here", "@name" and "#channel" become mentions where a text object is not verbatim. Left alone, to be copied,
// are "@2x", name@host and colours (#ff0000, #fff): that a channel has such a name is the smaller harm.
const MENTION = '(?<![\\p{L}\\p{N}])@(?=\\p{L})';
const CHANNEL =
  '(?<![\\p{L}\\p{N}])#(?=[\\p{L}\\p{N}])(?!(?:[\\da-fA-F]{3}|[\\da-fA-F]{6}|[\\da-fA-F]{8})(?![\\p{L}\\p{N}_-]))';
// At the start of a line `>` is a quote, as `&gt;` too. The spaces before it are part of the match: looking
// back over them from every position would make a line of spaces cost its length squared.
const QUOTE = '^[ \\t]*[>\\uff1e]';
const BARE_URL = '(?<![\\p{L}\\p{N}_])[hH][tT]{2}[pP][sS]?://[^\\s<>"|]+';

// Without the flag i: with it, \p{L} also takes marks that fold to a letter (U+0345).
const DEFUSE = new RegExp(`${BARE_URL}|${MARKER}|${EMOJI}|${MENTION}|${CHANNEL}|${QUOTE}`, 'gmu');
const DEFUSE_URL = new RegExp(`${MARKER}|${EMOJI}|@(?=\\p{L})`, 'gmu');
const DEFUSE_CODE = new RegExp(`[\`\\uff40]|${MENTION}|${CHANNEL}`, 'gmu');

/** No name of an emoji, a person or a channel contains it, and it is not drawn. */
export const WORD_JOINER = '\u2060';
// Not drawn either, and enough to keep Slack from seeing a quote (jsx-slack does the same).
const SOFT_HYPHEN = '\u00ad';

/**
 * Text of the service as mrkdwn that reads like the text and does nothing: no mention, no link with a label,
 * no formatting, no emoji, no quote. Line feeds stay. A bare address stays an address (it shows what it
 * opens, so it cannot forge): a formatting character in it is percent-encoded.
 *
 * Up to five times as long as the text. A text object that holds it should say `verbatim: true`, so that Slack
 * does not look for names in it (docs.slack.dev/reference/block-kit/composition-objects/text-object).
 */
export function escapeMrkdwn(text: string): string {
  return escapeEntities(wellFormed(text).replace(DEFUSE, defuse));
}

/** Text for the inside of `…` or ```…```, where only entities, mentions and the backtick itself mean something. */
export function escapeCode(text: string): string {
  return escapeEntities(wellFormed(text).replace(DEFUSE_CODE, defuse));
}

/**
 * `<url|label>`, safe for any input. Only http, https and mailto become links, else the label comes back as
 * text; an empty label gives `<url>`. A label that names another host than the target's has the real host
 * appended. One line.
 */
export function escapedLink(url: string, label: string): string {
  const target = linkTarget(url);
  if (target === undefined) return escapeMrkdwn(label);
  if (isBlank(label)) return `<${escapeEntities(target)}>`;
  const shown = honestLabel(target, wellFormed(label).replace(/\s+/g, ' ').trim());
  // Slack ends the address at the first bar; a second one is kept from meaning anything.
  return `<${escapeEntities(target)}|${escapeMrkdwn(shown).replaceAll('|', '\u2223')}>`;
}

function defuse(found: string): string {
  if (isQuote(found)) return found.slice(0, -1) + SOFT_HYPHEN + found.slice(-1);
  if (found.length > 1) return found.replace(DEFUSE_URL, encodeURIComponentFully);
  return LOOK_ALIKE[found] ?? found + WORD_JOINER;
}

const isQuote = (found: string) => /^[ \t]*[>\uff1e]$/.test(found);

// encodeURIComponent leaves * _ ~ alone.
function encodeURIComponentFully(char: string): string {
  return [...Buffer.from(char)].map((byte) => `%${byte.toString(16).toUpperCase()}`).join('');
}

// The three characters that Slack asks to be escaped (docs.slack.dev/messaging/formatting-message-text).
function escapeEntities(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
