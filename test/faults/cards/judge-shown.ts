import { mentionsIn } from '../../stand-ins/slack/block-kit/mentions.ts';

/** What is wrong with something that was shown in Slack. */
export type Judgement = { mentions: string[]; forgedLinks: string[] };

const HOST = /(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}/giu;

/**
 * Looks for what a card must not do: notify or name anybody, link what can't be a link, or pass one
 * address off for another. A link of the card's own description that says where it goes is neither.
 *
 * @param own the address that it is shown for
 */
export function judgeShown(shown: unknown, own: string): Judgement {
  const found = mentionsIn(shown);
  const links = found.filter((mention) => mention.startsWith('link:'));
  return {
    mentions: found.filter((mention) => !mention.startsWith('link:')),
    forgedLinks: links.filter((link) => !isHonest(link.slice('link:'.length), own)),
  };
}

function isHonest(link: string, own: string): boolean {
  const [target = '', label] = link.split('|').map(decoded);
  // An address in plain words ends where a reader, and Slack, sees a bracket.
  const address = label === undefined ? (target.split(/[<>]/)[0] ?? '') : target;
  const url = URL.parse(address);
  if (url && (url.username !== '' || url.password !== '')) return false;
  // Without a label an address shows what it opens, should Slack make a link of it.
  if (label === undefined) return true;
  if (!url || !['https:', 'http:', 'mailto:'].includes(url.protocol)) return false;
  const host = url.protocol === 'mailto:' ? (url.pathname.split('@').at(-1) ?? '') : url.hostname;
  if (label.endsWith(`(${url.protocol === 'mailto:' ? url.pathname : host})`)) return true;
  const claims = label.match(HOST) ?? [];
  return address === own || claims.every((claim) => claim.toLowerCase() === host.toLowerCase());
}

const decoded = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
