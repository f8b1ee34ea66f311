import { readCard } from '../../src/service/operations/read-card.ts';

/** A card of which the service says nothing. */
export const BLANK_CARD = readCard({}, '1', 'UTC');
