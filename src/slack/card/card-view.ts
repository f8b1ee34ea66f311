import type { Card } from '../../service/operations/schemas.ts';

/**
 * How much of a card is shown: everything, its title and main facts, or title and status only (in the
 * composer, where it is not known who will see it).
 */
export type CardDetail = 'full' | 'compact' | 'title';

/** A card as it is shown. */
export type CardView = {
  card: Card;
  /** The address that the card is shown for. */
  url: string;
  /** How Slack names the link that it stands under, where it stands under one. */
  postedAs?: string | undefined;
  detail: CardDetail;
  brandName?: string | undefined;
  /** When it was read, where that is long enough ago to be said. */
  asOf?: Date | undefined;
  /** False where Slack could not fetch it. */
  withPicture?: boolean;
};
