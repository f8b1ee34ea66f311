import { randomInt } from 'node:crypto';

/** Crockford's base 32: no I, L, O, U, so that a reference can be read out loud. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function randomLetters(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

const REQUEST_REFERENCE_LETTERS = 8;
const ERROR_REFERENCE_LETTERS = 6;

/** The short name of a request, `DR-…`, in its card's description and in every message about it. */
export const newRequestReference = (): string => `DR-${randomLetters(REQUEST_REFERENCE_LETTERS)}`;

/** Names one unexpected error, both to the person who met it and in the log. */
export const newErrorReference = (): string => `E-${randomLetters(ERROR_REFERENCE_LETTERS)}`;
