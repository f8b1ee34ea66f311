import { isUnfurled } from '../../public-host.ts';
import { createCardLinks } from '../../references.ts';

/** A part of a link that may be the card's ID, and the template that follows from it. */
type Candidate = { id: string; template: string };

/** Parameters that only say where a reader came from. */
const TRACKING = /^(?:utm_|ref$|source$|fbclid$|gclid$)/;

/**
 * The templates that a card's link may follow, the most likely first: the ID is the last part of the path that has a
 * digit, or else a parameter.
 *
 * @returns a sentence if there is none
 */
export function candidatesIn(link: string): Candidate[] | string {
  if (link.includes('{id}')) return checked([{ id: '', template: link }]);
  const url = URL.parse(link);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return 'That isn’t a link. Open a card in your browser, and copy the address.';
  }
  url.username = '';
  url.password = '';
  const fragment = url.hash;
  url.hash = '';
  const ids = [...inPath(url), ...inQuery(url)];
  if (ids.length > 0) return recognizing(url.href, checked(ids));
  return /\d/.test(fragment)
    ? 'The card’s ID is after a #, which Slack doesn’t pass on. Is there another link to a card, for example under Share?'
    : 'There is no card ID in that link. Open a card, and copy its link.';
}

/** Those whose template recognizes the link that it was made from, so that the app does, too. */
function recognizing(link: string, candidates: Candidate[] | string): Candidate[] | string {
  if (typeof candidates === 'string') return candidates;
  const recognized = candidates.filter(
    ({ template }) => createCardLinks([template]).cardIdOf(link) !== undefined,
  );
  return recognized.length > 0
    ? recognized
    : 'The app can’t recognize links like that one: it has a % that isn’t followed by two hexadecimal digits, or is too long. Is there another link to a card, for example under Share?';
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

function checked(candidates: Candidate[]): Candidate[] | string {
  try {
    const { hosts } = createCardLinks(candidates.map(({ template }) => template));
    const [wrong] = hosts.filter((host) => !isUnfurled(host));
    return wrong === undefined
      ? candidates
      : `Slack doesn’t unfurl links to ${wrong}: it needs a public host name of letters, digits, hyphens, and dots.`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
