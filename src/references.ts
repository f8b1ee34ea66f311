import { randomInt } from 'node:crypto';
import type { CardLinks } from './card-links.ts';

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

/**
 * The reference in a card's description: the last one, because ours is its last line, and a brief may quote another
 * request's.
 */
export const lastReferenceIn = (html: string): string | undefined =>
  html.match(/\bDR-[0-9A-HJKMNP-TV-Z]{8}\b/g)?.at(-1);

/** The reference of a request that someone typed; undefined if it can't be one. */
export function typedReference(word: string): string | undefined {
  const reference = word.toUpperCase();
  return REQUEST_REFERENCE.test(reference) ? reference : undefined;
}

export const isLink = (word: string) => /^https?:\/\//i.test(word);

/** The ID of a card that someone typed as its link or its ID. */
export function typedCardId(
  word: string,
  { cardIdOf, urlIfPossible }: CardLinks,
): string | undefined {
  if (/\s/.test(word)) return undefined;
  // Turned into a link, so that only IDs that a URL can contain are accepted.
  return cardIdOf(isLink(word) ? word : (urlIfPossible(word) ?? ''));
}

/** `E-…`, the name of an unexpected error, shown to the person and logged. */
export const newErrorReference = (): string => `E-${randomLetters(ERROR_REFERENCE_LETTERS)}`;
