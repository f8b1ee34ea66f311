/** The action IDs of the Home tab's own buttons; requests have theirs. */
export const HOME_ACTIONS = {
  newRequest: 'home-new-request',
  settings: 'home-settings',
  refresh: 'home-refresh',
} as const;
