/** The action IDs of a card's buttons. */
export const CARD_ACTIONS = {
  open: 'card-open',
  refresh: 'card-refresh',
  share: 'card-share',
  again: 'card-request-again',
} as const;
