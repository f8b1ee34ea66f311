import { isObject, type JsonObject } from '../json.ts';

type Parsing = { addresses?: true; names?: true };

const VERBATIM: Parsing = {};
const MESSAGE_TEXT: Parsing = { addresses: true };
const MRKDWN: Parsing = { addresses: true, names: true };

const CONTROL_SEQUENCE = /<([^<>]+)>/g;
// Also after "_", which makes an address italic.
const BARE_ADDRESS = /(?<![a-z0-9])(?:https?:\/\/|mailto:|www\.)[^\s<>|]+/giu;
const BARE_BROADCAST = /(?<![\p{L}\p{N}_@.])@(channel|here|everyone|group)\b/giu;
const BARE_CHANNEL = /(?<![\p{L}\p{N}_&#/])#[\p{L}\p{N}][\p{L}\p{N}_-]*/gu;

/** `<!channel|label>` as `<!channel>`; any other sequence is a link, with or without a scheme. */
function sequence(inside: string): string[] {
  const bar = inside.indexOf('|');
  const target = bar < 0 ? inside : inside.slice(0, bar);
  if (target.startsWith('!date^')) return linkOfDate(target, inside.slice(bar + 1));
  if (/^[@#!]/.test(target)) return [`<${target}>`];
  return target.trim() === '' ? [] : [`link:${inside}`];
}

// <!date^seconds^format^link|fallback>: a link only if the fourth part is present.
const DATE_LINK_PART = 3;
function linkOfDate(target: string, fallback: string): string[] {
  const link = target.split('^')[DATE_LINK_PART];
  return link ? [`link:${link}|${fallback}`] : [];
}

function inText(text: string, parsing: Parsing): string[] {
  let rest = text;
  const found: string[] = [];
  const take = (pattern: RegExp, name: (match: RegExpExecArray) => string[]) => {
    for (const match of rest.matchAll(pattern)) found.push(...name(match));
    rest = rest.replaceAll(pattern, ' ');
  };
  take(CONTROL_SEQUENCE, ([, inside = '']) => sequence(inside));
  if (parsing.addresses) take(BARE_ADDRESS, ([url]) => [`link:${url}`]);
  if (parsing.names) {
    take(BARE_BROADCAST, ([name]) => [name.toLowerCase()]);
    take(BARE_CHANNEL, ([name]) => [name]);
  }
  return found;
}

function linkOf(url: unknown, label: unknown): string[] {
  if (typeof url !== 'string') return [];
  return [typeof label === 'string' ? `link:${url}|${label}` : `link:${url}`];
}

const KINDS = new Map<unknown, (node: JsonObject) => string[]>([
  ['mrkdwn', ({ text, verbatim }) => ofString(text, verbatim === true ? VERBATIM : MRKDWN)],
  ['user', ({ user_id: id }) => [`<@${id}>`]],
  ['usergroup', ({ usergroup_id: id }) => [`<!subteam^${id}>`]],
  ['channel', ({ channel_id: id }) => [`<#${id}>`]],
  ['broadcast', ({ range }) => [`<!${range}>`]],
  ['link', ({ url, text }) => linkOf(url, text)],
  ['date', ({ url, fallback }) => linkOf(url, fallback)],
]);

function ofString(value: unknown, parsing: Parsing): string[] {
  return typeof value === 'string' ? inText(value, parsing) : [];
}

function walk(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(walk);
  if (!isObject(node)) return [];
  const kind = KINDS.get(node.type);
  if (kind) return kind(node);
  const { metadata: _notShown, ...shown } = node;
  // The text of a message.
  const own = node.type === undefined ? ofString(shown.text, MESSAGE_TEXT) : [];
  return [...own, ...Object.values(shown).flatMap(walk)];
}

/**
 * Everything in a rendered text that would notify or name someone or link to something, in order:
 *
 * - in mrkdwn: `<!channel>`, `<!here>`, `<!everyone>`, `<!subteam^S…>`, `<@U…>`, `<#C…>`, without
 *   their labels; links as `link:url|label`, or `link:url` without a label. Anything else between
 *   angle brackets counts as a link too, since Slack links `<example.com|text>` without a scheme;
 * - the same from the user, usergroup, channel, broadcast, link and date elements of a rich text;
 * - bare addresses that begin with http, https, mailto or www as `link:url`, in mrkdwn without
 *   `verbatim: true` and in a message's text;
 * - bare `@channel`, `@here`, `@everyone`, `@group` and `#channel-name` in mrkdwn objects without
 *   `verbatim: true`. A message's text is read with `parse: none`, which leaves such words alone.
 *
 * Slack documents that without `verbatim` it links addresses, conversation names and "certain
 * mentions"; it doesn't say which, so this is the broad interpretation. Bare user names are left out, as
 * Slack no longer parses them, and so are bare domains. Code spans are not exempt here. What a
 * button opens is not part of the text.
 *
 * Takes blocks, an unfurl, a whole message or view, or one string: the `text` of a message.
 */
export const mentionsIn = (shown: unknown): string[] =>
  typeof shown === 'string' ? inText(shown, MESSAGE_TEXT) : walk(shown);
