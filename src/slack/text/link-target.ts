import { BUTTON_URL_MAX } from './limits.ts';

const LINK_SCHEME = /^\s*(?:https?|mailto):/i;
// Words that could be a host name; 3002, FF0E and FF61 are dots to a browser as well.
const HOST_LIKE = /[\p{L}\p{N}\-.\u3002\uff0e\uff61]+/gu;
const OTHER_DOTS = /[\u3002\uff0e\uff61]/g;
const ENDS_LIKE_HOST = /\.(?:\p{L}{2,24}|xn--[a-z0-9-]{1,59})$/iu;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
// Endings of file names that are no top-level domains ("zip", "ai" and "mov" are, and stay suspicious).
const FILE_NAME = /\.(?:png|jpe?g|gif|svg|webp|tiff?|eps|psd|indd|pdf|mp4|docx?|xlsx?|pptx?|txt)$/i;

/**
 * The normalised address of a link that may be clicked: http, https or mailto, at most BUTTON_URL_MAX units,
 * no user name or password in it (`https://bank.example@evil.example`); undefined for anything else.
 * White space, quotes and `|`, `<`, `>` come percent-encoded, international host names as punycode.
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
 * The label for a link to `target` (from linkTarget): the label itself, with the real host (for mailto the
 * real address) appended where the label names another host, so that it cannot pass for another site.
 */
export function honestLabel(target: string, label: string): string {
  const shown = shownTarget(target);
  const suffix = ` (${shown})`;
  if (label.endsWith(suffix)) return label;
  const host = (shown.split('@').at(-1) ?? shown).toLowerCase();
  const forged = claimedHosts(label).some((claim) => host !== claim && !host.endsWith(`.${claim}`));
  return forged ? label + suffix : label;
}

function shownTarget(target: string): string {
  const url = new URL(target);
  return url.protocol === 'mailto:' ? url.pathname : url.hostname;
}

// Hosts that a reader would believe to read in the label. Characters that are not drawn do not hide one.
function claimedHosts(label: string): string[] {
  const seen = label.replace(/\p{Default_Ignorable_Code_Point}/gu, '').normalize('NFKC');
  const claims: string[] = [];
  for (const word of seen.match(HOST_LIKE) ?? []) {
    const name = trimDots(word.replace(OTHER_DOTS, '.'));
    if (!(ENDS_LIKE_HOST.test(name) || IPV4.test(name)) || FILE_NAME.test(name)) continue;
    const host = URL.parse(`http://${name}`)?.hostname ?? name.toLowerCase();
    claims.push(host.startsWith('www.') ? host.slice('www.'.length) : host);
  }
  return claims;
}

function trimDots(word: string): string {
  let start = 0;
  let end = word.length;
  while (start < end && (word[start] === '.' || word[start] === '-')) start += 1;
  while (end > start && (word[end - 1] === '.' || word[end - 1] === '-')) end -= 1;
  return word.slice(start, end);
}
