/** The action IDs of a card's buttons and of its “⋯” menu. */
export const CARD_ACTIONS = {
  menu: 'card-menu',
  open: 'card-open',
  refresh: 'card-refresh',
  share: 'card-share',
  again: 'card-request-again',
  showAll: 'card-show-all',
} as const;
