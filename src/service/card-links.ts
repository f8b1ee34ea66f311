/** The longest identifier that is taken out of a link or put into one. */
const MAX_CARD_ID_CHARS = 200;
/**
 * The longest address that is read as a card link, in UTF-16 units: the longest that Slack accepts on a
 * button, so a longer one could not be opened from its card
 * (docs.slack.dev/reference/block-kit/block-elements/button-element). A message can hold one of 40,000.
 */
export const MAX_CARD_LINK_CHARS = 3_000;

const PLACEHOLDER = '{id}';
/** Stands for `{id}` while a template is parsed as an address; parsing leaves it as it is. */
const MARK = 'card-id-placeholder-5f1c';

export type CardLinks = {
  /** The card id in a web address, undefined where it is not a card's or is longer than MAX_CARD_LINK_CHARS. */
  cardIdOf(url: string): string | undefined;
  /** The web address of a card, from the first template. Throws RangeError for an id that no link can carry. */
  urlOf(cardId: string): string;
  /** Where cards are looked at: the origin of the first template. */
  dashboardUrl: string;
  /** Host names of all templates, lower case, without ports, each once. */
  hosts: readonly string[];
};

type Template = { url: URL; segments: string[]; query: [string, string][] };

/**
 * Recognises and makes links to cards.
 * @param templates http(s) addresses with one `{id}` in path or query, such as
 * `https://app.example.com/card/{id}`; the first is used for new links
 * @throws Error for a template that is no such address, or where there is none
 */
export function createCardLinks(templates: readonly string[]): CardLinks {
  const [first, ...others] = templates.map(parseTemplate);
  if (first === undefined) throw new Error('At least one card address template is needed.');
  const parsed = [first, ...others];
  return {
    cardIdOf: (text) => {
      if (text.length > MAX_CARD_LINK_CHARS) return undefined;
      const url = URL.parse(text);
      if (url === null || !isWeb(url) || url.username !== '' || url.password !== '')
        return undefined;
      for (const template of parsed) {
        const id = matchTemplate(template, url);
        if (id !== undefined && isCardId(id)) return id;
      }
      return undefined;
    },
    urlOf: (cardId) => {
      if (!isCardId(cardId)) throw new RangeError('A card link cannot carry this card id.');
      return first.url.href.replace(MARK, () => encodeURIComponent(cardId));
    },
    dashboardUrl: first.url.origin,
    hosts: [...new Set(parsed.map((template) => template.url.hostname))],
  };
}

function parseTemplate(text: string): Template {
  const trimmed = text.trim();
  const parts = trimmed.split(PLACEHOLDER);
  const url = URL.parse(parts.join(MARK));
  if (url === null || !isWeb(url)) {
    throw new Error(`Card address template "${trimmed}" is no http(s) address.`);
  }
  const segments = pathSegments(url).map((segment) => decode(segment) ?? segment);
  const query = [...url.searchParams];
  const places = [...segments, ...query.map(([, value]) => value)];
  if (parts.length !== 2 || !places.some((place) => place.includes(MARK))) {
    throw new Error(`Card address template "${trimmed}" needs one {id} in its path or query.`);
  }
  return { url, segments, query };
}

function matchTemplate(template: Template, url: URL): string | undefined {
  if (url.hostname !== template.url.hostname || url.port !== template.url.port) return undefined;
  const segments = pathSegments(url);
  if (segments.length !== template.segments.length) return undefined;
  const path = template.segments.map((wanted, i) => matchPart(wanted, decode(segments[i])));
  const query = template.query.map(([key, wanted]) => matchPart(wanted, url.searchParams.get(key)));
  const parts = [...path, ...query];
  return parts.includes(undefined) ? undefined : parts.join('');
}

/** @returns the id in the part that holds `{id}`, '' for an equal fixed part, undefined for no match. */
function matchPart(wanted: string, actual: string | null | undefined): string | undefined {
  if (actual === null || actual === undefined) return undefined;
  const [prefix = '', suffix] = wanted.split(MARK);
  if (suffix === undefined) return actual === wanted ? '' : undefined;
  const fits =
    actual.length > prefix.length + suffix.length &&
    actual.startsWith(prefix) &&
    actual.endsWith(suffix);
  return fits ? actual.slice(prefix.length, actual.length - suffix.length) : undefined;
}

/** Whether a link can carry this id: its path has one segment for it, and no address tidies it away. */
function isCardId(id: string): boolean {
  return (
    id !== '' &&
    id.length <= MAX_CARD_ID_CHARS &&
    id !== '.' &&
    id !== '..' &&
    id.isWellFormed() &&
    !/[\p{Cc}/\\]/u.test(id)
  );
}

function pathSegments(url: URL): string[] {
  // Without the lookbehind every slash of a run would start a match of its own: quadratic time.
  return url.pathname.replace(/(?<!\/)\/+$/, '').split('/');
}

function decode(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function isWeb(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:';
}
