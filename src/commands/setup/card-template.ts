import { isUnfurled } from '../../public-host.ts';
import { createCardLinks } from '../../references.ts';

/** A part of a link that may be the card's ID, and the template that follows from it. */
type Candidate = { id: string; template: string };

/** Parameters that only say where a reader came from. */
const TRACKING = /^(?:utm_|ref$|source$|fbclid$|gclid$)/;

/**
 * The templates that a card's link may follow, the most likely first: the ID is the last part of the path that has a
 * digit, or else a parameter. A sentence if there is none.
 */
export function candidatesIn(link: string): Candidate[] | string {
  const url = URL.parse(link);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return 'That isn’t a link. Open a card in your browser, and copy the address.';
  }
  if (!isUnfurled(url.hostname)) {
    return `Slack doesn’t unfurl links to ${url.hostname}: it needs a public host name of letters, digits, hyphens, and dots.`;
  }
  const fragment = url.hash;
  url.hash = '';
  // A link with a % that isn't followed by two hexadecimal digits isn't recognized, for example.
  const recognized = [...inPath(url), ...inQuery(url)].filter(
    ({ template }) => createCardLinks([template]).cardIdOf(url.href) !== undefined,
  );
  if (recognized.length > 0) return recognized;
  return /\d/.test(fragment)
    ? 'The card’s ID is after a #, which Slack doesn’t pass on. Is there another link to a card, for example under Share?'
    : 'There is no card ID in that link. Open a card, and copy its link.';
}

function inPath(url: URL): Candidate[] {
  const segments = url.pathname.split('/');
  return segments
    .map((id, index) => ({ id: decoded(id), index }))
    .filter(({ id }) => /\d/.test(id))
    .reverse()
    .map(({ id, index }) => ({
      id,
      template: `${url.origin}${segments.with(index, '{id}').join('/')}`,
    }));
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // A lone percent sign.
    return segment;
  }
}

function inQuery(url: URL): Candidate[] {
  const entries = [...url.searchParams].filter(([name]) => !TRACKING.test(name));
  return entries
    .filter(([, value]) => /\d/.test(value))
    .map(([chosen, id]) => {
      const query = entries.map(
        ([name, value]) =>
          `${encodeURIComponent(name)}=${name === chosen ? '{id}' : encodeURIComponent(value)}`,
      );
      return { id, template: `${url.origin}${url.pathname}?${query.join('&')}` };
    });
}
