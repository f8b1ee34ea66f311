import { type Card, readCard } from '../../src/service/operations/card.ts';

/** A card of which the service says nothing. */
export const BLANK_CARD = readCard({}, '1', 'UTC');

/** A card with a title and these fields. */
export const autumnPoster = (fields: Partial<Card> = {}): Card => ({
  ...BLANK_CARD,
  title: 'Autumn poster',
  ...fields,
});
