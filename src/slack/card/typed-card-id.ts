import type { CardLinks } from '../../service/card-links.ts';

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
