import { mentionsIn } from '../../stand-ins/slack/block-kit/mentions.ts';

/** What is wrong with something shown in Slack. */
export type Judgement = { mentions: string[]; forgedLinks: string[] };

/** No top-level domain has a digit. */
const HOST = /(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?![\p{L}\p{N}])/giu;

/**
 * Finds what a card must not do: notify or name anyone, contain an invalid link, or disguise a link's target.
 * A link in the card's own description that shows where it leads is fine.
 *
 * @param own the URL that it is shown for
 */
export function checkShown(shown: unknown, own: string): Judgement {
  const found = mentionsIn(shown);
  const links = found.filter((mention) => mention.startsWith('link:'));
  return {
    mentions: found.filter((mention) => !mention.startsWith('link:')),
    forgedLinks: links.filter((link) => !isHonest(link.slice('link:'.length), own)),
  };
}

function isHonest(link: string, own: string): boolean {
  const [target = '', label] = link.split('|').map(decoded);
  // A URL in plain text ends where a reader, and Slack, sees a bracket.
  const address = label === undefined ? (target.split(/[<>]/)[0] ?? '') : target;
  const url = URL.parse(address);
  if (url && (url.username !== '' || url.password !== '')) return false;
  // A URL without a label shows where it leads, even if Slack links it.
  if (label === undefined) return true;
  if (!url || !['https:', 'http:', 'mailto:'].includes(url.protocol)) return false;
  const host = url.protocol === 'mailto:' ? (url.pathname.split('@').at(-1) ?? '') : url.hostname;
  if (label.endsWith(`(${url.protocol === 'mailto:' ? url.pathname : host})`)) return true;
  const claims = label.match(HOST) ?? [];
  return address === own || claims.every((claim) => claim.toLowerCase() === host.toLowerCase());
}

const decoded = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
