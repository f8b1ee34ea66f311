import type { Card } from '../../service/operations/schemas.ts';

/**
 * How much of a card is shown: everything, the title and main facts, or only title and status (in
 * the composer, where it isn't known who will see it).
 */
export type CardDetail = 'full' | 'compact' | 'title';

/** A card to show. */
export type CardView = {
  card: Card;
  /** The card's URL. */
  url: string;
  /** The link as Slack reported it, if the card is shown under a link. */
  postedAs?: string | undefined;
  detail: CardDetail;
  brandName?: string | undefined;
  /** When it was read, if that is long enough ago to say so. */
  asOf?: Date | undefined;
  /** False if Slack couldn't fetch it. */
  withPicture?: boolean;
};
