import { CARD } from './card.ts';

// Cards as Work Objects: under links, in messages, and in the pane that opens next to a conversation. Slack shows
// these as plain text, so of `CARD`, only labels are used.

/** The labels of CARD, except where these differ. */
export const WORK_OBJECT = {
  ...CARD,
  /** What a card is. */
  displayType: 'Design request',
  requester: 'Requested by',
  created: 'Created',
  updated: 'Updated',
  type: 'Type',
  sizes: CARD.dimensions,
  preview: 'Preview',
  /** @param count how many files there is no room for */
  moreFiles: (count: number) => `${count} more in the dashboard`,
  /** Of a file without an address. */
  fileElsewhere: 'In the dashboard',
  files: 'More files',
  more: 'More cards',
  /** Why the card isn't current. */
  note: 'Note',
  asOf: 'As of',
  imageAlt: (name: string, title: string) => `${name}, an image of ${title}`,
};

/** The page with a card's images, inside the pane. */
export const GALLERY = {
  title: (card: string) => `Images of ${card}`,
  none: 'This card has no images yet.',
};

/** Shown in the pane instead of a card. */
export const DETAILS_ERRORS = {
  notConnected: {
    title: 'Not connected',
    text: 'Your workspace isn’t connected to your design service yet. A workspace admin can connect it.',
  },
  keyRejected: {
    title: 'New API key needed',
    text: 'Your design service no longer accepts this workspace’s API key. A workspace admin can connect a new one.',
  },
  keyUnreadable: {
    title: 'New API key needed',
    text: 'This app can’t read this workspace’s API key any more. A workspace admin can connect it again.',
  },
  forbidden: {
    title: 'No access',
    text: 'This workspace’s API key can’t read this card. It may belong to another account or project.',
  },
  notFound: {
    title: 'Card not found',
    text: 'Your design service doesn’t have this card any more. It was deleted, or the link is wrong.',
  },
  notACard: {
    title: 'Not a card',
    text: 'This link doesn’t lead to a card of your design service.',
  },
  busy: {
    title: 'Busy',
    text: 'Your design service is busy. Try again in a minute.',
  },
  unavailable: {
    title: 'Can’t reach your design service',
    text: 'We can’t reach your design service right now. Try again in a moment.',
  },
  slow: {
    title: 'This is taking longer than usual',
    text: 'Your design service is slow to answer. Try again in a moment.',
  },
  unclear: {
    title: 'Can’t read the answer',
    text: 'Your design service sent an answer that we can’t read. Try again in a moment.',
  },
  external: {
    title: 'Shared channel',
    text: 'Cards aren’t shown in channels shared with another company. A workspace admin can allow it in the settings.',
  },
  guestTitle: 'Full members only',
  outsiderTitle: 'Not your workspace',
  deactivatedTitle: 'Account deactivated',
  notShown: {
    title: 'Can’t show this card here',
    text: 'Slack doesn’t let this app show the card here. Open it in the dashboard.',
  },
  unexpectedTitle: 'Something went wrong',
  tryAgain: 'Try again',
};

/** The setting. */
export const WORK_OBJECT_SETTING = {
  label: 'Cards as Work Objects',
  hint: 'People open a card in a pane next to the conversation. Needs Work Object Previews in the Slack app’s settings, with the type Task.',
  off: 'Off',
  on: 'On',
  gallery: 'On, with a page of images',
  galleryDetail: 'Needs this app’s domain on the Slack app’s embed list',
};
