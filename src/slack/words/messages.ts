import { format } from 'date-fns/format';
import { parseISO } from 'date-fns/parseISO';
import type { Decision } from '../../requests/decide.ts';
import { isUnlistedForm } from '../../requests/match-lists.ts';
import { type DesignRequest, isBeingChecked } from '../../requests/request.ts';
import { type AdminToAsk, wordsForProblem } from './errors.ts';

// Messages about a request, its outcome in the modal, and the decision about a request in doubt.

const DISCARDED = 'Discarded. We won’t send it.';

const ON_ITS_WAY = 'On its way to your design service.';

const STATES: Record<Exclude<DesignRequest['state'], 'created'>, string> = {
  queued: ON_ITS_WAY,
  sending: ON_ITS_WAY,
  discarded: DISCARDED,
  waiting_for_key: 'Waiting for an admin to connect an API key.',
  rejected: 'Your design service didn’t accept it.',
  in_doubt: 'We can’t tell whether it arrived.',
};

/** The status of a request without a problem. */
export function wordsForState({ state, form }: DesignRequest): string {
  if (state !== 'created') return STATES[state];
  return `:white_check_mark: ${form.isDraft ? 'Draft saved' : 'Request sent'}.`;
}

export function wordsForRequest(request: DesignRequest, admin?: AdminToAsk): string {
  if (isBeingChecked(request)) return CHECKING;
  const { problem, reference } = request;
  const about = { reference, admin, isUnlisted: isUnlistedForm(request.form) };
  return problem ? wordsForProblem(problem, about) : wordsForState(request);
}

/** The first words of a notification about a request. */
const HEADLINES: Record<DesignRequest['state'], string> = {
  queued: 'Your design request is waiting',
  sending: 'Your design request is on its way',
  waiting_for_key: 'Your design request is waiting',
  rejected: 'Please fix your design request',
  in_doubt: 'Did your design request arrive? Please check',
  discarded: 'Your design request was discarded',
  created: 'Your design request was sent',
};

export function headlineOf(request: DesignRequest): string {
  if (isBeingChecked(request)) return 'Checking whether your design request arrived';
  if (request.problem?.code === 'incomplete') return 'Please finish your design request';
  return request.problem?.denied ? 'Your design request wasn’t sent' : HEADLINES[request.state];
}

/** A message without anything that the author typed; `status` is a sentence. */
export const plainNote = (reference: string, status: string) =>
  `Your design request ${reference}: ${status} To see it, type \`/design-request list\`.`;

export const CONFIRMATION = {
  /** @param who a mention */
  sentence: (who: string, title: string, isDraft: boolean) =>
    `${who} ${isDraft ? 'saved a draft of' : 'requested'} ${title}`,
  statusIfUnknown: (isDraft: boolean) => (isDraft ? 'Draft' : 'Sent'),
  draft:
    'This is a draft: nobody is working on it yet. When it’s ready, start it in your dashboard.',
  noAddress: 'We don’t have this card’s link. Find it in your dashboard.',
  unnamed: 'We don’t have this card’s link yet. Find it in your dashboard, then press *Found it*.',
};

/** How the author of a request hears of changes to its card. */
const CHANGES_ANNOUNCED = {
  in_thread: ', and we’ll tell you in its thread when it changes.',
  directly: ', and we’ll message you when it changes.',
  never: '.',
};

/** In the modal after sending. `channel` is a mention; undefined for a direct message. */
export function wordsForSent(
  isDraft: boolean,
  posted: { channel: string | undefined; changes: keyof typeof CHANGES_ANNOUNCED } | undefined,
): string {
  const sent = `:white_check_mark: *${isDraft ? 'Draft saved' : 'Sent'}.*`;
  if (!posted) return `${sent} To see it, type \`/design-request list\`.`;
  const { channel, changes } = posted;
  const where = channel ? `We posted it in ${channel}` : 'We sent you the confirmation';
  return `${sent} ${where}${CHANGES_ANNOUNCED[changes]}`;
}

/** Why a confirmation went to the author and not to the channel (a mention) that they chose. */
export const NOT_POSTED = {
  sharedChannel: (channel: string) =>
    `${channel} is shared with another company, so we didn’t post this there.`,
  directMessage:
    'This app can’t post in direct messages between people, so you’re getting this here.',
  notInChannel: (channel: string) =>
    `This app isn’t in ${channel}. Invite it there with \`/invite\`, and the next one is posted there.`,
  archived: (channel: string) => `${channel} is archived, so you’re getting this here.`,
  refused: (channel: string) =>
    `This app couldn’t post in ${channel}, so you’re getting this here.`,
};

export const BUTTONS = {
  requestAgain: 'Request again',
  sendAgain: 'Not there, send again',
  sendAgainAfterSearch: 'Send again',
  found: 'Found it',
  correct: 'Fix and resend',
  finish: 'Finish your request',
  openDashboard: 'Open dashboard',
  discard: 'Discard',
};

export const CONFIRM_DISCARD = {
  title: 'Discard this request?',
  text: 'We won’t send it again. We keep what you typed for 30 days, in case you change your mind.',
  confirm: 'Discard',
  deny: 'Keep it',
};

export const DECIDED: Record<Decision | 'found', string> = {
  send_again: 'Sending it again…',
  found: 'Got it. We won’t send it again.',
  discard: DISCARDED,
};
export const decidedBefore = (status: string) => `You already decided this. ${status}`;
export const NOT_YOUR_DECISION = 'Only the person who made this request can decide that.';

/** Lines of a card's description, as text. */
export const NEW_CARD = {
  /** @param day as `YYYY-MM-DD` */
  neededBy: (day: string) => `Needed by ${format(parseISO(day), 'EEE, d MMM yyyy')}`,
  references: 'References:',
  lastLine: (author: string | undefined, reference: string) =>
    `Requested in Slack${author === undefined ? '' : ` by ${author}`} · ${reference}`,
};

// A request that may or may not have arrived: while it is searched for, and the modal of “Found it”.

const CHECKING = 'Checking whether your request arrived. This can take ten minutes.';
export const CHECKING_MAY_CLOSE = 'You can close this: we’ll message you.';

export const FOUND = {
  title: 'Found it',
  submit: 'Save',
  label: 'Card link or ID',
  hint: 'Open the card in your dashboard and copy its address.',
  placeholder: 'Paste the card’s link',
  checking: 'Checking the card…',
  missing: 'Paste the card’s link or ID.',
  question: (title: string, reference: string) =>
    `Which card is *${title}* (${reference})? We’ll link to it and won’t send the request again.`,
  otherReference: (card: string, reference: string) =>
    `The card ${card} doesn’t mention ${reference}. Is it the right one?`,
  confirm: 'Yes, this is it',
};
