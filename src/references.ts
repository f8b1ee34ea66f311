import { randomInt } from 'node:crypto';

/** Crockford's base 32. Without I, L, O, and U, a reference can be read out loud. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function randomLetters(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

const REQUEST_REFERENCE_LETTERS = 8;
const ERROR_REFERENCE_LETTERS = 6;
const REQUEST_REFERENCE = /^DR-[0-9A-HJKMNP-TV-Z]{8}$/;

/** `DR-…`, the name of a request in its card's description and in every message about it. */
export const newRequestReference = (): string => `DR-${randomLetters(REQUEST_REFERENCE_LETTERS)}`;

/** The last in a card's description, because ours is its last line, and a brief may quote another. */
export const lastReferenceIn = (html: string): string | undefined =>
  html.match(/\bDR-[0-9A-HJKMNP-TV-Z]{8}\b/g)?.at(-1);

export function typedReference(word: string): string | undefined {
  const reference = word.toUpperCase();
  return REQUEST_REFERENCE.test(reference) ? reference : undefined;
}

export const isLink = (word: string) => /^https?:\/\//i.test(word);

/** The ID of a card that someone typed as its link or its ID. */
export function typedCardId(word: string, { cardIdOf, urlIfPossible }: CardLinks) {
  if (/\s/.test(word)) return undefined;
  // Turned into a link, so that only IDs that a URL can contain are accepted.
  return cardIdOf(isLink(word) ? word : (urlIfPossible(word) ?? ''));
}

/** `E-…`, the name of an unexpected error, shown to the person and logged. */
export const newErrorReference = (): string => `E-${randomLetters(ERROR_REFERENCE_LETTERS)}`;

const MAX_CARD_ID_CHARS = 200;
/**
 * In UTF-16 units: the longest URL that Slack accepts for a button
 * (docs.slack.dev/reference/block-kit/block-elements/button-element). Messages may have 40,000.
 */
export const MAX_CARD_LINK_CHARS = 3_000;

const PLACEHOLDER = '{id}';
/** In place of `{id}` while a template is parsed as a URL, which would escape the braces. */
const MARK = 'card-id-placeholder-5f1c';

export type CardLinks = ReturnType<typeof createCardLinks>;

type Template = { url: URL; path: string; query: [string, string][] };

/**
 * @param templates http(s) URLs with one `{id}` in the path or query, such as
 *   `https://app.example.com/card/{id}`; the first is used for new links
 */
export function createCardLinks(templates: readonly string[]) {
  const [first, ...others] = templates.map(parseTemplate);
  if (first === undefined) throw new Error('At least one card URL template is needed.');
  const parsed = [first, ...others];

  /** Undefined for an ID that can't be part of a link. */
  const urlIfPossible = (cardId = ''): string | undefined =>
    isCardId(cardId) ? first.url.href.replace(MARK, () => encodeURIComponent(cardId)) : undefined;

  return {
    urlIfPossible,

    urlOf(cardId: string): string {
      const url = urlIfPossible(cardId);
      if (url === undefined) throw new RangeError('This card ID cannot be part of a link.');
      return url;
    },

    cardIdOf(text: string): string | undefined {
      const url = text.length > MAX_CARD_LINK_CHARS ? null : URL.parse(text);
      if (url === null || !isWeb(url) || url.username !== '' || url.password !== '')
        return undefined;
      const ids = parsed.map((template) => matchTemplate(template, url));
      return ids.find((id) => id !== undefined && isCardId(id));
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
    throw new Error(`The card URL template "${trimmed}" is not an http(s) URL.`);
  }
  const path = pathOf(url) ?? url.pathname;
  const query = [...url.searchParams];
  const values = [path, ...query.map(([, value]) => value)];
  if (parts.length !== 2 || !values.some((value) => value.includes(MARK))) {
    throw new Error(`The card URL template "${trimmed}" needs one {id} in its path or query.`);
  }
  return { url, path, query };
}

function matchTemplate(template: Template, url: URL): string | undefined {
  if (url.hostname !== template.url.hostname || url.port !== template.url.port) return undefined;
  const query = template.query.map(([key, wanted]) => matchPart(wanted, url.searchParams.get(key)));
  const parts = [matchPart(template.path, pathOf(url)), ...query];
  return parts.includes(undefined) ? undefined : parts.join('');
}

/** @returns the ID if this part contains `{id}`, '' for an equal fixed part, undefined for no match */
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

/** Whether this ID can be one segment of a path that URL parsing doesn't normalize away. */
export function isCardId(id: string): boolean {
  return (
    id !== '' &&
    id.length <= MAX_CARD_ID_CHARS &&
    id !== '.' &&
    id !== '..' &&
    id.isWellFormed() &&
    !/[\p{Cc}/\\]/u.test(id)
  );
}

/** Decoded, without slashes at its end. */
function pathOf(url: URL): string | undefined {
  try {
    // Without the lookbehind, each slash of a series would start its own match: quadratic time.
    return decodeURIComponent(url.pathname.replace(/(?<!\/)\/+$/, ''));
  } catch {
    return undefined;
  }
}

const isWeb = ({ protocol }: URL) => protocol === 'https:' || protocol === 'http:';
