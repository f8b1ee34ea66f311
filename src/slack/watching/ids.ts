/** The action IDs of the buttons of watched cards. Their value is the card's ID. */
export const WATCH_ACTIONS = { watch: 'card-watch', stop: 'card-stop-watching' } as const;
