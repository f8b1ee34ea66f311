/** The callback IDs of the shortcuts in `manifest.yml`. */
export const SHORTCUTS = {
  /** In the menu of a message. */
  fromMessage: 'create-design-request',
  /** In the composer and in Slack's search. */
  requestDesign: 'request-a-design',
} as const;
