// The app's Home tab.

export const HOME = {
  heading: 'Design requests',
  intro: 'Request design and video work, and see how it’s going.',
  newRequest: 'New request',
  settings: 'Settings',
  refresh: 'Refresh',
  needsYou: 'Needs your answer',
  waiting: 'On the way',
  recent: 'Your requests',
  none: 'You have no requests yet. Press *New request*, or type `/design-request` in any channel.',
  watching: 'Cards you watch',
  moreWatched: (count: number) =>
    `${count} more ${count === 1 ? 'card that you watch isn’t' : 'cards that you watch aren’t'} shown.`,
  /** @param link to a page or an email address */
  support: (link: string) => `Questions or problems? ${link}`,
  help: 'Type `/design-request help` in any channel to see everything this app can do.',
};

/** Whether requests can be sent. Next to it is a button that connects, or asks someone who can. */
export const CONNECTION = {
  connected: (lastFour: string | undefined) =>
    `:large_green_circle: Connected to your design service${lastFour ? ` (key ending in \`${lastFour}\`)` : ''}.`,
  /** @param by a mention */
  connectedBy: (by: string, when: string) => `Connected by ${by}, ${when}.`,
  rejected:
    ':warning: Your design service no longer accepts the API key. New requests are saved and sent once a new key is connected.',
  none: ':white_circle: Your workspace isn’t connected to a design service yet. New requests are kept until it is.',
};
