import { BUTTON_URL_MAX } from './limits.ts';

const LINK_SCHEME = /^\s*(?:https?|mailto):/i;
// Words that could be a host name. Browsers also treat U+3002, U+FF0E, and U+FF61 as dots.
const HOST_LIKE = /[\p{L}\p{N}]+(?:[-.\u3002\uff0e\uff61]+[\p{L}\p{N}]+)*/gu;
const OTHER_DOTS = /[\u3002\uff0e\uff61]/g;
const ENDS_LIKE_HOST = /\.(?:\p{L}{2,24}|xn--[a-z0-9-]{1,59})$/iu;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
// File name extensions that are no top-level domains ("zip", "ai", and "mov" are, and stay
// suspicious).
const FILE_NAME = /\.(?:png|jpe?g|gif|svg|webp|tiff?|eps|psd|indd|pdf|mp4|docx?|xlsx?|pptx?|txt)$/i;

/**
 * The normalized URL of a clickable link: http, https, or mailto, at most BUTTON_URL_MAX units,
 * without user name or password (`https://bank.example@evil.example`). Undefined for anything else.
 * White space, quotes, `|`, `<`, and `>` are percent-encoded; international host names are in
 * punycode.
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
