import { BUTTON_URL_MAX, ELLIPSIS, graphemePrefix, isBlank, wellFormed } from './limits.ts';

// Slack can't escape its formatting characters. Zero-width spaces don't help: Slack treats them as
// word boundaries, which enables formatting (jsx-slack's "exact mode" relies on that). So where
// Slack could format, the character is replaced by one that looks the same. Slack also accepts the
// full-width forms.
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
// Between two letters or digits (snake_case, 3*4) and between spaces (5 * 3) Slack doesn't format,
// so the text stays as it is and can be copied. Backticks are always replaced.
const MARKER =
  '(?<![\\p{L}\\p{N}])(?!(?<=\\s).\\s)[*_~\\uff0a\\uff3f\\uff5e]|(?!(?<=\\s).\\s)[*_~\\uff0a\\uff3f\\uff5e](?![\\p{L}\\p{N}])|[`\\uff40]';
// ":name:" is an emoji. Digits alone are a time code (00:01:30), except for the two emoji here.
const EMOJI = ":(?=(?!(?!100:|1234:)\\d+:)[\\p{L}\\p{M}\\p{N}_+'-]{1,100}:)";
// Without verbatim, "@here", "@name", and "#channel" become mentions. "@2x", name@host, and colors
// (#ff0000, #fff) are left alone so that they can be copied, even if a channel has such a name.
// What replaces "_" is a letter.
const MENTION = '(?<![\\p{L}\\p{N}])@(?=[\\p{L}_\\uff3f])';
const CHANNEL =
  '(?<![\\p{L}\\p{N}])#(?=[\\p{L}\\p{N}_\\uff3f])(?!(?:[\\da-fA-F]{3}|[\\da-fA-F]{6}|[\\da-fA-F]{8})(?![\\p{L}\\p{N}_-]))';
// At the start of a line, `>` starts a quote, also as `&gt;`. The spaces before it are part of the
// match, because a lookbehind over them would take quadratic time.
const QUOTE = '^[ \\t]*[>\\uff1e]';
// Right after "_" or its look-alike, a URL is no link; after a backtick or its look-alike, it is.
const BARE_URL = '(?<!(?!\\u02cb)[\\p{L}\\p{N}_\\uff3f])[hH][tT]{2}[pP][sS]?://[^\\s<>"|]+';

// No flag i: with it, \p{L} also matches marks that fold to a letter (U+0345).
const NEUTRALIZE = new RegExp(
  `${BARE_URL}|${MARKER}|${EMOJI}|${MENTION}|${CHANNEL}|${QUOTE}`,
  'gmu',
);
const NEUTRALIZE_URL = new RegExp(`${MARKER}|${EMOJI}|@(?=\\p{L})`, 'gmu');
const NEUTRALIZE_CODE = new RegExp(`[\`\\uff40]|${MENTION}|${CHANNEL}`, 'gmu');

/** Invisible, and not allowed in names of emoji, people, or channels. */
const WORD_JOINER = '\u2060';
// Also invisible, and stops Slack from seeing a quote (as in jsx-slack).
const SOFT_HYPHEN = '\u00ad';

/**
 * Escapes the service's text as mrkdwn that has no effect: no mentions, labeled links, formatting, emoji, or quotes.
 * Line feeds stay. Bare URLs stay links, since they show what they open; formatting characters in them are
 * percent-encoded.
 *
 * The result is up to five times as long. Text objects should set `verbatim: true`, so that Slack doesn't look for
 * names in it (docs.slack.dev/reference/block-kit/composition-objects/text-object).
 */
export function escapeMrkdwn(text: string): string {
  return escapeEntities(wellFormed(text).replace(NEUTRALIZE, neutralize));
}

/** Escapes text inside `…` or ```…```, where only entities, mentions, and backticks matter. */
export function escapeCode(text: string): string {
  return escapeEntities(wellFormed(text).replace(NEUTRALIZE_CODE, neutralize));
}

/**
 * A link `<url|label>` on one line, safe for any input. Only http, https, and mailto become links;
 * otherwise the label is returned as text. An empty label gives `<url>`. If the label names another
 * host than the URL, the real host is appended.
 */
export function escapedLink(url: string, label: string): string {
  const target = linkTarget(url);
  if (target === undefined) return escapeMrkdwn(label);
  if (isBlank(label)) return `<${escapeEntities(target)}>`;
  const shown = honestLabel(target, wellFormed(label).replace(/\s+/g, ' ').trim());
  // Slack ends the URL at the first bar, so bars in the label are replaced.
  return `<${escapeEntities(target)}|${escapeMrkdwn(shown).replaceAll('|', '\u2223')}>`;
}

function neutralize(found: string): string {
  if (/^[ \t]*[>\uff1e]$/.test(found)) return found.slice(0, -1) + SOFT_HYPHEN + found.slice(-1);
  if (found.length > 1) return found.replace(NEUTRALIZE_URL, encodeURIComponentFully);
  return LOOK_ALIKE[found] ?? found + WORD_JOINER;
}

// encodeURIComponent doesn't encode * _ ~.
function encodeURIComponentFully(char: string): string {
  return [...Buffer.from(char)].map((byte) => `%${byte.toString(16).toUpperCase()}`).join('');
}

function escapeEntities(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** All that Slack wants escaped (docs.slack.dev/messaging/formatting-message-text). */
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Text as the person wrote it, from Slack's escaped form. */
export function unescapeEntities(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt);/g, (found) => ENTITIES[found] ?? found);
}

/** `<url|label>`, and other markup whose label or fallback is mrkdwn. */
const LABELED = /<[^<>|]*\|([^<>]*)>/g;
/** A truncated entity. This app writes only these three (see `escapeMrkdwn`). */
const CUT_ENTITY = /&(?:amp|am|a|lt|l|gt|g)?$/;

/**
 * Clips mrkdwn to `max` UTF-16 units. If it is too long, links are replaced by their labels and the
 * rest is cut with '…', never inside markup or an entity.
 */
export function clipMrkdwn(text: string, max: number): string {
  if (text.length <= max) return text;
  const plain = text.replace(LABELED, `${WORD_JOINER}$1`);
  if (plain.length <= max) return plain;
  const start = graphemePrefix(plain, Math.max(max - ELLIPSIS.length, 0));
  const opened = start.lastIndexOf('<');
  const whole = opened > start.lastIndexOf('>') ? start.slice(0, opened) : start;
  return whole.replace(CUT_ENTITY, '').trimEnd() + ELLIPSIS;
}

// Links.

const LINK_SCHEME = /^\s*(?:https?|mailto):/i;
// Words that could be a host name. Browsers also treat U+3002, U+FF0E, and U+FF61 as dots.
const HOST_LIKE = /[\p{L}\p{N}]+(?:[-.\u3002\uff0e\uff61]+[\p{L}\p{N}]+)*/gu;
const OTHER_DOTS = /[\u3002\uff0e\uff61]/g;
const ENDS_LIKE_HOST = /\.(?:\p{L}{2,24}|xn--[a-z0-9-]{1,59})$/iu;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
// No top-level domains, unlike "zip", "ai", and "mov", which stay suspicious.
const FILE_NAME = /\.(?:png|jpe?g|gif|svg|webp|tiff?|eps|psd|indd|pdf|mp4|docx?|xlsx?|pptx?|txt)$/i;

/**
 * The normalized URL of a clickable link: http, https, or mailto, at most BUTTON_URL_MAX units,
 * without user name or password (`https://bank.example@evil.example`). Undefined for anything else.
 * White space, quotes, `|`, `<`, and `>` are percent-encoded; international hosts in punycode.
 */
export function linkTarget(url: string): string | undefined {
  if (url.length > BUTTON_URL_MAX || !LINK_SCHEME.test(url)) return undefined;
  const parsed = URL.parse(url);
  if (parsed === null || parsed.username !== '' || parsed.password !== '') return undefined;
  if (parsed.protocol === 'mailto:' && !parsed.pathname.includes('@')) return undefined;
  const href = parsed.href.replace(/[\s|<>"`]/g, (char) => encodeURIComponent(char));
  return href.length > BUTTON_URL_MAX ? undefined : href;
}

/**
 * The label for a link. If it names another host than `target` (from linkTarget), the real host or
 * mail address is appended, so that it can't pass for another site.
 */
export function honestLabel(target: string, label: string): string {
  const { protocol, pathname, hostname } = new URL(target);
  const shown = protocol === 'mailto:' ? pathname : hostname;
  const suffix = ` (${shown})`;
  if (label.endsWith(suffix)) return label;
  const host = (shown.split('@').at(-1) ?? shown).toLowerCase();
  const forged = claimedHosts(label).some((claim) => host !== claim && !host.endsWith(`.${claim}`));
  return forged ? label + suffix : label;
}

// Host names that a reader would see in the label, ignoring invisible characters.
function claimedHosts(label: string): string[] {
  const seen = label.replace(/\p{Default_Ignorable_Code_Point}/gu, '').normalize('NFKC');
  const claims: string[] = [];
  for (const word of seen.match(HOST_LIKE) ?? []) {
    const name = word.replace(OTHER_DOTS, '.');
    if (!(ENDS_LIKE_HOST.test(name) || IPV4.test(name)) || FILE_NAME.test(name)) continue;
    const host = URL.parse(`http://${name}`)?.hostname ?? name.toLowerCase();
    claims.push(host.startsWith('www.') ? host.slice('www.'.length) : host);
  }
  return claims;
}
