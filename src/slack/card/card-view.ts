import type { Card } from '../../service/operations/read-card.ts';

/** The size of a preview that people can refresh. */
export type PreviewSize = 'large' | 'small';

/**
 * How much of a card is shown: a preview, only title and status (in the composer, where it isn't
 * known who will see it), or all of it, which takes a modal.
 */
export type CardDetail = PreviewSize | 'title' | 'all';

/** A card with what it doesn't contain itself. */
export type CardFacts = {
  card: Card;
  brandName?: string | undefined;
  typeName?: string | undefined;
  requesterName?: string | undefined;
  /** Whether anyone watches it. */
  isWatched?: boolean | undefined;
  /** When it was read. */
  readAt?: Date | undefined;
  /** The same if that is long enough ago to say so. */
  asOf?: Date | undefined;
  shownAt: Date;
};

/** A card to show. */
export type CardView = CardFacts & {
  /** The card's URL. */
  url: string;
  /** The link as Slack reported it, if the card is shown under a link. */
  postedAs?: string | undefined;
  detail: CardDetail;
  /** Below the last preview of a message: how many more links it has. */
  moreLinks?: number | undefined;
  /** Whether another company saw the message's conversation when it was posted, as Slack said then. */
  isExternal?: boolean | undefined;
  /** The request that the message around a Work Object confirms, in which everything but its title is said. */
  confirms?: string | undefined;
  /** Whether delivered files are linked even if one is shown as a picture. */
  linksFiles?: boolean;
  /** False if Slack couldn't fetch it. */
  withPicture?: boolean;
};
