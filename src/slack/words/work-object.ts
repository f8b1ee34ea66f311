import type { DesignApiErrorCode } from '../../service/errors.ts';
import type { NoKeyReason } from '../../service/service-access.ts';
import { CARD } from './card.ts';
import { type Denied, wordsForDenied } from './errors.ts';

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

/** Why the pane shows no card. */
export type DetailsProblem =
  | NoKeyReason
  | Denied
  | DesignApiErrorCode
  | 'external'
  | 'notACard'
  | 'notShown';

/** @param help the button below */
type DetailsError = { title: string; text: string; help?: 'connect' | 'tryAgain' };

const KEY_REJECTED: DetailsError = {
  title: 'New API key needed',
  text: 'Your design service no longer accepts this workspace’s API key. A workspace admin can connect a new one.',
  help: 'connect',
};

const NOT_FOUND: DetailsError = {
  title: 'Card not found',
  text: 'Your design service doesn’t have this card any more. It was deleted, or the link is wrong.',
  help: 'tryAgain',
};

const UNAVAILABLE: DetailsError = {
  title: 'Can’t reach your design service',
  text: 'We can’t reach your design service right now. Try again in a moment.',
  help: 'tryAgain',
};

const UNCLEAR: DetailsError = {
  title: 'Can’t read the answer',
  text: 'Your design service sent an answer that we can’t read. Try again in a moment.',
  help: 'tryAgain',
};

/** Shown in the pane instead of a card. */
export const DETAILS_ERRORS: Record<DetailsProblem, DetailsError> = {
  no_key: {
    title: 'Not connected',
    text: 'Your workspace isn’t connected to your design service yet. A workspace admin can connect it.',
    help: 'connect',
  },
  key_rejected: KEY_REJECTED,
  unauthorized: KEY_REJECTED,
  key_unreadable: {
    title: 'New API key needed',
    text: 'This app can’t read this workspace’s API key any more. A workspace admin can connect it again.',
    help: 'connect',
  },
  forbidden: {
    title: 'No access',
    text: 'This workspace’s API key can’t read this card. It may belong to another account or project.',
    help: 'tryAgain',
  },
  not_found: NOT_FOUND,
  invalid_request: NOT_FOUND,
  rate_limited: {
    title: 'Busy',
    text: 'Your design service is busy. Try again in a minute.',
    help: 'tryAgain',
  },
  unavailable: UNAVAILABLE,
  not_sent: UNAVAILABLE,
  timed_out: {
    title: 'This is taking longer than usual',
    text: 'Your design service is slow to answer. Try again in a moment.',
    help: 'tryAgain',
  },
  unreadable_answer: UNCLEAR,
  outcome_unknown: UNCLEAR,
  external: {
    title: 'Shared channel',
    text: 'Cards aren’t shown in channels shared with another company. A workspace admin can allow it in the settings.',
  },
  guest: { title: 'Full members only', text: wordsForDenied('guest') },
  not_admin: { title: 'Full members only', text: wordsForDenied('not_admin') },
  outsider: { title: 'Not your workspace', text: wordsForDenied('outsider') },
  deactivated: { title: 'Account deactivated', text: wordsForDenied('deactivated') },
  notACard: {
    title: 'Not a card',
    text: 'This link doesn’t lead to a card of your design service.',
  },
  notShown: {
    title: 'Can’t show this card here',
    text: 'Slack doesn’t let this app show the card here. Open it in the dashboard.',
  },
};

export const DETAILS_UNEXPECTED = 'Something went wrong';
export const DETAILS_TRY_AGAIN = 'Try again';

/** The setting. */
export const WORK_OBJECT_SETTING = {
  label: 'Cards as Work Objects',
  hint: 'People open a card in a pane next to the conversation. Needs Work Object Previews in the Slack app’s settings, with the type Task.',
  off: 'Off',
  on: 'On',
  gallery: 'On, with a page of images',
  galleryDetail: 'Needs this app’s domain on the Slack app’s embed list',
};
