import type { AuthorDenied, RequestProblem } from '../../requests/request.ts';
import {
  DesignApiError,
  type DesignApiErrorCode,
  type TransientError,
  type TransientErrorCode,
} from '../../service/errors.ts';
import { type NoKeyReason, NotConnectedError } from '../../service/service-access.ts';
import { utcMinute } from '../text/blocks.ts';
import { escapeMrkdwn } from '../text/escape.ts';

// Errors: why something failed, what happens next, and what the reader can do.

/** An admin whom the reader can ask; `reader` if the reader is one; undefined if none is known. */
export type AdminToAsk = { userId: string; name?: string | undefined } | 'reader' | undefined;

/** @param what for example “connect it” */
function askAdmin(admin: AdminToAsk, what: string): string {
  if (admin === 'reader') return `You can ${what}`;
  return `Ask ${admin ? `<@${admin.userId}>` : 'a workspace admin'} to ${what}`;
}

const CONNECT = '`/design-request connect`';

export const WITHOUT_KEY: Record<NoKeyReason, { why: string; what: string }> = {
  no_key: { why: 'Your workspace isn’t connected to your design service yet.', what: 'it' },
  key_rejected: {
    why: 'Your design service no longer accepts this workspace’s API key.',
    what: 'a new one',
  },
  key_unreadable: {
    why: 'This app can’t read this workspace’s API key any more.',
    what: 'it again',
  },
};

const askToConnect = (reason: NoKeyReason, admin: AdminToAsk) =>
  `${askAdmin(admin, `connect ${WITHOUT_KEY[reason].what} with ${CONNECT}`)}.`;

/** The same for a request. Readers who are admins see it next to the Connect button. */
const connectHere = (reason: NoKeyReason, admin: AdminToAsk) =>
  admin === 'reader'
    ? `Connect ${WITHOUT_KEY[reason].what} here, or later: your request is kept.`
    : askToConnect(reason, admin);

const wordsForMissingKey = (reason: NoKeyReason, admin: AdminToAsk): string =>
  `${WITHOUT_KEY[reason].why} ${askToConnect(reason, admin)}`;

/** After a request was saved while no request types were known. */
const FINISH_LATER =
  'Once your workspace is connected, we’ll ask you to choose a type and send it.';

/** Above the form while there is no usable key; `isUnlisted`: no request types are known. */
export function wordsForFormWithoutKey(
  reason: NoKeyReason,
  admin: AdminToAsk,
  isUnlisted: boolean,
): string {
  const words = `${WITHOUT_KEY[reason].why} ${connectHere(reason, admin)}`;
  if (admin === 'reader') return words;
  const then = isUnlisted ? FINISH_LATER : 'We’ll keep it and send it once that’s done.';
  return `${words} You can already write your request. ${then}`;
}

export type Denied = AuthorDenied | 'not_admin';

const DENIED: Record<Denied, (admin: AdminToAsk) => string> = {
  outsider: () =>
    'This app belongs to the other company in this channel, so you can’t use it here.',
  guest: (admin) =>
    `Only full members of this workspace can use this app. ${askAdmin(admin, 'allow guests')}.`,
  deactivated: () => 'Your account in this workspace is deactivated, so you can’t use this app.',
  not_admin: (admin) =>
    `Only workspace admins can do this. Ask ${typeof admin === 'object' ? `<@${admin.userId}>` : 'one of them'}.`,
};

/** Why someone has no access. Mentions the admin, so it is mrkdwn if one is given. */
export const wordsForDenied = (denied: Denied, admin?: AdminToAsk): string => DENIED[denied](admin);

/** Why a read from the service failed. @throws the error itself if it isn't about the service or its key */
export function wordsForServiceError(error: unknown, admin?: AdminToAsk): string {
  if (error instanceof NotConnectedError) return wordsForMissingKey(error.reason, admin);
  if (!(error instanceof DesignApiError)) throw error;
  return error.code === 'unauthorized'
    ? wordsForMissingKey('key_rejected', admin)
    : READ_ERRORS[error.code];
}

export const wordsWhileRetrying = ({ code }: TransientError): string =>
  `${TRANSIENT_ERRORS[code]} Keep this open. The form will appear here as soon as it works.`;

const TRANSIENT_ERRORS: Record<TransientErrorCode, string> = {
  rate_limited: 'Your design service is busy.',
  unavailable: 'We can’t reach your design service right now.',
  timed_out: 'Your design service took too long to answer.',
  unreadable_answer: 'Your design service sent an answer that we can’t read.',
};

export const READ_ERRORS: Record<Exclude<DesignApiErrorCode, 'unauthorized'>, string> = {
  forbidden: 'This workspace’s API key can’t read that.',
  not_found: 'Your design service couldn’t find that. Check the ID or link.',
  invalid_request: 'Your design service didn’t understand us. Try again in a moment.',
  rate_limited: `${TRANSIENT_ERRORS.rate_limited} Try again in a minute.`,
  unavailable: `${TRANSIENT_ERRORS.unavailable} Try again in a moment.`,
  not_sent: `${TRANSIENT_ERRORS.unavailable} Try again in a moment.`,
  timed_out: `${TRANSIENT_ERRORS.timed_out} Try again in a moment.`,
  unreadable_answer: `${TRANSIENT_ERRORS.unreadable_answer} Try again in a moment.`,
  outcome_unknown: 'Your design service didn’t answer clearly. Try again in a moment.',
};

export function wordsForRefusedKey(code: DesignApiErrorCode): string {
  switch (code) {
    case 'unauthorized':
      return 'Your design service doesn’t accept this key. Copy it again from the dashboard (account settings → integration tab).';
    case 'forbidden':
      return 'This key can’t read request types, which the form needs. Use a key that can.';
    case 'rate_limited':
      return 'Your design service is busy and can’t check the key. Try again in a minute.';
    case 'invalid_request':
    case 'not_found':
    case 'unreadable_answer':
      return 'The design service didn’t answer as expected. Ask whoever runs this app to check DESIGN_API_BASE_URL.';
    case 'unavailable':
    case 'timed_out':
    case 'not_sent':
    case 'outcome_unknown':
      return 'We can’t reach your design service to check the key. Try again in a moment.';
  }
}

/** Subject and verb, as in “you connect”. */
function whoConnects(admin: AdminToAsk): string {
  if (admin === 'reader') return 'you connect';
  return `${admin ? `<@${admin.userId}>` : 'a workspace admin'} connects`;
}

const SAVED = 'Your request is saved.';

export function wordsForProblem(
  problem: RequestProblem,
  { reference, admin, isUnlisted }: { reference: string; admin?: AdminToAsk; isUnlisted?: boolean },
): string {
  switch (problem.code) {
    case 'author_denied':
      return `${problem.denied ? wordsForDenied(problem.denied, admin) : ''} ${SAVED} We didn’t send it.`.trim();
    case 'files_unusable':
      return `${problem.message ?? 'We can’t pass on some of your files.'} ${SAVED} We didn’t send it.`;
    case 'invalid_request':
      return problem.message
        ? `Your design service didn’t accept it: ${escapeMrkdwn(problem.message)}`
        : 'Your design service didn’t accept it.';
    case 'no_key':
      return `${SAVED} ${isUnlisted ? FINISH_LATER : 'We’ll send it as soon as your workspace is connected.'} ${connectHere('no_key', admin)}`;
    case 'key_unreadable':
      return `${SAVED} We’ll send it once a new key is connected. ${WITHOUT_KEY.key_unreadable.why} ${connectHere('key_unreadable', admin)}`;
    case 'key_rejected':
      return `${SAVED} The API key stopped working; we’ll send it once ${whoConnects(admin)} a new one.`;
    case 'forbidden':
      return `${SAVED} This workspace’s API key can’t create cards. ${askAdmin(admin, `connect one that can with ${CONNECT}`)}.`;
    case 'busy':
      return `Your design service is busy. ${SAVED} We’ll send it ${atTime(problem.retryAt)}.`;
    case 'unreachable':
      return `We can’t reach your design service. ${SAVED} We’ll try again ${atTime(problem.retryAt)}.`;
    case 'outcome_unknown':
      return problem.searchedMinutes === undefined
        ? `Did this request arrive? ${DOUBTS[problem.doubt ?? 'interrupted']} ${searchFor(reference)}`
        : `We looked for *${reference}* in your project for ${spelledOut(problem.searchedMinutes)} minutes and didn’t find it. Send it again?`;
    case 'incomplete':
      return 'Your workspace is connected now. Finish your request: choose from what your design service offers.';
    case 'given_up':
      return `We couldn’t send this request: it keeps failing on our side (${problem.reference}). Fix and resend it, or tell whoever runs this app.`;
    case 'unreadable':
      return 'We can’t read what you filled in any more, so we didn’t send it. Please fill in the form again.';
    case 'unexpected':
      return `Did this request arrive? Something failed on our side (${problem.reference}). ${searchFor(reference)}`;
  }
}

const spelledOut = (count: number) => (count === 10 ? 'ten' : count);

const searchFor = (reference: string) => `Search your dashboard for *${reference}*.`;

const DOUBTS: Record<NonNullable<RequestProblem['doubt']> | 'interrupted', string> = {
  no_answer: 'The connection dropped before your design service answered.',
  service_error: 'Your design service had a problem while we were sending it.',
  unclear_answer: 'Your design service didn’t answer clearly.',
  interrupted: 'We were interrupted while sending it.',
};

/** The next full minute, in the reader's own time zone. */
function atTime(retryAt: number | undefined): string {
  if (retryAt === undefined) return 'soon';
  const seconds = Math.ceil(retryAt / 60_000) * 60;
  return `at <!date^${seconds}^{time}|${utcMinute(seconds).slice('YYYY-MM-DD '.length)}>`;
}

/** For unexpected errors; the log has the same reference. */
export const unexpected = (reference: string): string =>
  `Something unexpected happened on our side (${reference}). Try again in a moment.`;
