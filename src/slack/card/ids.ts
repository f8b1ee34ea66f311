/** Names that tie the buttons of a card to their handlers. */
export const CARD_ACTIONS = {
  open: 'card-open',
  refresh: 'card-refresh',
  share: 'card-share',
} as const;
