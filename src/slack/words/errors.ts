import type { AuthorDenied, RequestProblem } from '../../requests/request.ts';
import {
  DesignApiError,
  type DesignApiErrorCode,
  type PassingError,
  type PassingErrorCode,
} from '../../service/errors.ts';
import { type NoKeyReason, NotConnectedError } from '../../service/service-access.ts';
import { escapeMrkdwn } from '../text/escape.ts';

// Errors: why something failed, what happens next, and what the reader can do.

const NOT_CONNECTED =
  'This workspace isn’t connected to your design service yet. A workspace admin connects it with `/design-request connect`.';
const KEY_REJECTED =
  'Your design service no longer accepts this workspace’s API key. A workspace admin can connect a new one with `/design-request connect`.';

const KEY_UNREADABLE =
  'This app can’t read this workspace’s API key any more. A workspace admin can connect it again with `/design-request connect`.';

const WITHOUT_KEY: Record<NoKeyReason, string> = {
  no_key: NOT_CONNECTED,
  key_rejected: KEY_REJECTED,
  key_unreadable: KEY_UNREADABLE,
};

/** The title of a modal that says so. */
export const REFUSAL_TITLE = 'Design request';

/** Why someone may not use a part of the app. */
export type Denied = AuthorDenied | 'not_admin';

const DENIED: Record<Denied, string> = {
  outsider: 'This app belongs to the other company in this channel, so you can’t use it here.',
  guest:
    'Only full members of this workspace can use this app. Ask a workspace admin to allow guests.',
  deactivated: 'Your account in this workspace is deactivated, so you can’t use this app.',
  not_admin: 'Only workspace admins and owners can do this. Ask one of them.',
};

/** Why someone has no access. */
export const wordsForDenied = (denied: Denied): string => DENIED[denied];

/** Why a read from the service failed. */
export function wordsForReadError(error: NotConnectedError | DesignApiError): string {
  return error instanceof NotConnectedError ? WITHOUT_KEY[error.reason] : READ_ERRORS[error.code];
}

/**
 * The same for an error of any kind.
 *
 * @throws the error itself if it isn't about the service or its key
 */
export function wordsForServiceError(error: unknown): string {
  if (error instanceof DesignApiError || error instanceof NotConnectedError) {
    return wordsForReadError(error);
  }
  throw error;
}

/** The same while the app keeps retrying by itself. */
export const wordsWhileRetrying = ({ code }: PassingError): string =>
  `${TRANSIENT_ERRORS[code]} Keep this open: the form appears here as soon as it works.`;

const TRANSIENT_ERRORS: Record<PassingErrorCode, string> = {
  rate_limited: 'Your design service is busy: it takes only so many calls a minute.',
  unavailable: 'Your design service can’t be reached right now.',
  timed_out: 'Your design service took too long to answer.',
  unreadable_answer: 'Your design service gave an answer that can’t be read.',
};

const READ_ERRORS: Record<DesignApiErrorCode, string> = {
  unauthorized: KEY_REJECTED,
  forbidden: 'Your design service doesn’t let this workspace’s API key read that.',
  not_found: 'Your design service doesn’t know that. Check the id or link.',
  invalid_request: 'Your design service didn’t accept the question. Try again in a moment.',
  rate_limited: `${TRANSIENT_ERRORS.rate_limited} Try again in a minute.`,
  unavailable: `${TRANSIENT_ERRORS.unavailable} Try again in a moment.`,
  not_sent: `${TRANSIENT_ERRORS.unavailable} Try again in a moment.`,
  timed_out: `${TRANSIENT_ERRORS.timed_out} Try again in a moment.`,
  unreadable_answer: `${TRANSIENT_ERRORS.unreadable_answer} Try again in a moment.`,
  outcome_unknown: 'Your design service didn’t answer clearly. Try again in a moment.',
};

/** Why a key was not saved. */
export function wordsForRefusedKey(code: DesignApiErrorCode): string {
  switch (code) {
    case 'unauthorized':
      return 'Your design service doesn’t accept this key. Copy it again from its dashboard (account settings → integration tab).';
    case 'forbidden':
      return 'The key is valid, but it may not list request types, which the form needs. Use a key that may.';
    case 'rate_limited':
      return 'Your design service is busy and couldn’t check the key. Try again in a minute.';
    case 'invalid_request':
    case 'not_found':
    case 'unreadable_answer':
      return 'The address of the design service didn’t answer as expected. Ask whoever runs this app to check DESIGN_API_BASE_URL.';
    case 'unavailable':
    case 'timed_out':
    case 'not_sent':
    case 'outcome_unknown':
      return 'Your design service can’t be reached right now, so the key couldn’t be checked. Try again in a moment.';
  }
}

/** The status of a request that isn't a card yet: what happened, and what happens next. */
export function wordsForProblem(problem: RequestProblem): string {
  switch (problem.code) {
    case 'author_denied':
      return `${problem.denied ? wordsForDenied(problem.denied) : ''} Your request is saved, but it wasn’t sent.`.trim();
    case 'invalid_request':
      return problem.message
        ? `Your design service didn’t accept it: ${escapeMrkdwn(problem.message)}`
        : 'Your design service didn’t accept it.';
    case 'no_key':
      return 'This workspace isn’t connected to your design service. The request is saved and goes out by itself once a workspace admin connects an API key.';
    case 'key_rejected':
      return 'Your design service no longer accepts this workspace’s API key. The request is saved and goes out by itself once a workspace admin connects a new one.';
    case 'key_unreadable':
      return `${KEY_UNREADABLE} The request is saved and goes out by itself once that is done.`;
    case 'forbidden':
      return 'This workspace’s API key may not create cards. The request is saved and goes out by itself once a workspace admin connects a key that may.';
    case 'busy':
      return `Your design service is busy. The request is saved and goes out by itself ${when(problem.retryAt)}.`;
    case 'unreachable':
      return `Your design service can’t be reached. The request is saved and goes out by itself as soon as it can be; the next try is ${when(problem.retryAt)}.`;
    case 'outcome_unknown':
      return 'It isn’t certain whether your request arrived: the card may or may not be there. It isn’t sent again by itself, so that you don’t order twice. Look in the dashboard for a card whose description ends with this reference, then choose.';
    case 'given_up':
      return `Something on our side fails each time with this request (${problem.reference}), so it wasn’t sent. Change it and send it again, or tell whoever runs this app.`;
    case 'unexpected':
      return `Something unexpected happened on our side (${problem.reference}), so the card may or may not be there. Look in the dashboard for a card whose description ends with the request’s reference, then choose.`;
  }
}

/** A time in the reader's own time zone. */
function when(retryAt: number | undefined): string {
  if (retryAt === undefined) return 'soon';
  const seconds = Math.ceil(retryAt / 1_000);
  return `at <!date^${seconds}^{time_secs}|${new Date(retryAt).toISOString()}>`;
}

/** For unexpected errors; the log has the same reference. */
export const unexpected = (reference: string): string =>
  `Something unexpected happened on our side (${reference}). Try again in a moment.`;
