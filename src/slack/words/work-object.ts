import type { DesignApiErrorCode } from '../../service/errors.ts';
import type { NoKeyReason } from '../../service/service-access.ts';
import { CARD } from './card.ts';
import { type Denied, READ_ERRORS, WITHOUT_KEY, wordsForDenied } from './errors.ts';

// Cards as Work Objects: under links, in messages, and in the pane that opens next to a conversation. Slack shows
// these as plain text, so of `CARD`, only labels are used.

export const WORK_OBJECT = {
  ...CARD,
  displayType: 'Design request',
  requester: 'Requested by',
  created: 'Created',
  updated: 'Updated',
  type: 'Type',
  preview: 'Preview',
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

export type DetailsProblem =
  | NoKeyReason
  | Denied
  | DesignApiErrorCode
  | 'external'
  | 'notACard'
  | 'notShown';

/** @param help the button below */
type DetailsError = { title: string; text: string; help?: 'connect' | 'tryAgain' };

const tryAgain = (title: string, text: string): DetailsError => ({ title, text, help: 'tryAgain' });

/** In the pane, a button offers what `words/errors.ts` offers as a command. */
function withoutKey(title: string, reason: NoKeyReason): DetailsError {
  const { why, what } = WITHOUT_KEY[reason];
  return { title, text: `${why} A workspace admin can connect ${what}.`, help: 'connect' };
}

const KEY_REJECTED = withoutKey('New API key needed', 'key_rejected');
const NOT_FOUND = tryAgain(
  'Card not found',
  'Your design service doesn’t have this card any more. It was deleted, or the link is wrong.',
);
const UNAVAILABLE = tryAgain('Can’t reach your design service', READ_ERRORS.unavailable);
const UNCLEAR = tryAgain('Can’t read the answer', READ_ERRORS.unreadable_answer);

export const DETAILS_ERRORS: Record<DetailsProblem, DetailsError> = {
  no_key: withoutKey('Not connected', 'no_key'),
  key_rejected: KEY_REJECTED,
  unauthorized: KEY_REJECTED,
  key_unreadable: withoutKey('New API key needed', 'key_unreadable'),
  forbidden: tryAgain(
    'No access',
    'This workspace’s API key can’t read this card. It may belong to another account or project.',
  ),
  not_found: NOT_FOUND,
  invalid_request: NOT_FOUND,
  rate_limited: tryAgain('Busy', READ_ERRORS.rate_limited),
  unavailable: UNAVAILABLE,
  not_sent: UNAVAILABLE,
  timed_out: tryAgain(
    'This is taking longer than usual',
    'Your design service is slow to answer. Try again in a moment.',
  ),
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
