import type { Decision } from '../../requests/decide-in-doubt.ts';
import type { DesignRequest } from '../../requests/request.ts';

// Messages about a request, its outcome in the modal, and the decision about a request in doubt.

/** The status of a request without a problem. */
export function wordsForState({ state }: DesignRequest): string {
  switch (state) {
    case 'queued':
    case 'sending':
      return 'On its way to your design service.';
    case 'created':
      return ':white_check_mark: It is a card at your design service.';
    case 'discarded':
      return 'Discarded. Nothing is sent.';
    case 'waiting_for_key':
      return 'It waits until a workspace admin connects an API key.';
    case 'rejected':
      return 'Your design service didn’t accept it.';
    case 'in_doubt':
      return 'It may or may not have arrived.';
  }
}

/** The first words of a notification about a request. */
const HEADLINES: Record<DesignRequest['state'], string> = {
  queued: 'Your design request waits',
  sending: 'Your design request',
  waiting_for_key: 'Your design request waits',
  rejected: 'Your design request needs a correction',
  in_doubt: 'Please look: your design request may not have arrived',
  discarded: 'Your design request was discarded',
  created: 'Your design request was sent',
};

export const headlineOf = ({ state, problem }: DesignRequest): string =>
  problem?.denied ? 'Your design request wasn’t sent' : HEADLINES[state];

/** A message without anything that the author typed; `status` is a sentence. */
export const plainNote = (reference: string, status: string) =>
  `Your design request ${reference}: ${status} It can’t be shown here in full; \`/design-request list\` lists it.`;

export const CONFIRMATION = {
  headline: (isDraft: boolean) => (isDraft ? 'Draft saved' : 'Design request sent'),
  type: 'Type',
  brand: 'Brand',
  status: 'Status',
  statusIfUnknown: (isDraft: boolean) => (isDraft ? 'Draft' : 'Sent'),
  requestedBy: 'Requested by',
  reference: 'Reference',
  openCard: 'Open card',
  noAddress: 'The card’s address isn’t known here. You find it in the dashboard.',
};

/** In the modal after sending. */
export const resultHeadline = (isDraft: boolean) =>
  `:white_check_mark: *${isDraft ? 'Draft saved' : 'Sent'}*`;

/** Why a confirmation went to the author and not to the channel (a mention) that they chose. */
export const NOT_POSTED = {
  sharedChannel: (channel: string) =>
    `${channel} is shared with another company, so this wasn’t posted there.`,
  directMessage: 'This app can’t post in direct messages between people, so you get it here.',
  notInChannel: (channel: string) =>
    `This app isn’t in ${channel}, so it can’t post there. Invite it with \`/invite\` for the next time.`,
  archived: (channel: string) => `${channel} is archived, so this couldn’t be posted there.`,
  notAllowed: (channel: string) => `This app may not post in ${channel}, so you get it here.`,
};

export const BUTTONS = {
  sendAgain: 'Send again',
  itIsThere: 'It is there',
  correct: 'Correct it',
  openDashboard: 'Open dashboard',
  discard: 'Discard',
};

export const CONFIRM_DISCARD = {
  title: 'Discard this request?',
  text: 'It isn’t sent again, and what you typed is given up.',
  confirm: 'Discard',
  deny: 'Keep it',
};

export const DECIDED: Record<Decision, string> = {
  send_again: 'It goes out again now.',
  it_is_there: 'Noted: it is there. Nothing is sent again.',
  discard: 'Discarded. Nothing is sent.',
};
export const decidedBefore = (status: string) => `That was decided already. ${status}`;
export const NOT_YOUR_DECISION = 'Only whoever made this request can decide that.';

/** The last line of a card's description, as text. */
export const requestedInSlack = (author: string | undefined, reference: string) =>
  `Requested in Slack${author === undefined ? '' : ` by ${author}`} · ${reference}`;
