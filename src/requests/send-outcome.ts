import { DesignApiError, type DesignApiErrorCode } from '../service/errors.ts';
import { NotConnectedError } from '../service/service-access.ts';
import type { RequestProblem, RequestState } from './request.ts';

/** The result of an attempt to send a request. */
export type SendOutcome = {
  state: RequestState;
  problem?: RequestProblem;
  cardId?: string | undefined;
  retryAt?: Date;
  /** Why it is in doubt, for the log: the HTTP status if there was an answer. */
  cause?: { code: DesignApiErrorCode; status?: number | undefined };
};

export const IN_DOUBT: SendOutcome = { state: 'in_doubt', problem: { code: 'outcome_unknown' } };

/** Pauses while the service can't be reached, doubled each time, in ms. */
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 5 * 60_000;

/**
 * What an error means for the request.
 *
 * @param tried.attempts how often it was sent, including this time
 * @returns undefined for errors that sending isn't expected to throw
 */
export function outcomeOfError(
  error: unknown,
  tried: { keyFingerprint: string | undefined; attempts: number; now: Date },
): SendOutcome | undefined {
  if (error instanceof NotConnectedError) return waitingForKey(error, tried.keyFingerprint);
  return error instanceof DesignApiError ? outcomeOfServiceError(error, tried) : undefined;
}

function outcomeOfServiceError(
  error: DesignApiError,
  tried: { keyFingerprint: string | undefined; attempts: number; now: Date },
): SendOutcome {
  const { keyFingerprint, attempts, now } = tried;
  switch (error.code) {
    case 'invalid_request':
    case 'not_found':
      return {
        state: 'rejected',
        problem: {
          code: 'invalid_request',
          details: error.details,
          message: error.serviceMessage,
        },
      };
    case 'unauthorized':
      return { state: 'waiting_for_key', problem: { code: 'key_rejected', keyFingerprint } };
    case 'forbidden':
      return { state: 'waiting_for_key', problem: { code: 'forbidden', keyFingerprint } };
    case 'rate_limited':
      return queuedUntil(error.retryAt ?? retryAfter(attempts, now), 'busy');
    case 'not_sent':
      return queuedUntil(retryAfter(attempts, now), 'unreachable');
    case 'outcome_unknown':
    case 'timed_out':
    case 'unavailable':
    case 'unreadable_answer':
      return {
        state: 'in_doubt',
        problem: { code: 'outcome_unknown', doubt: doubtOf(error) },
        cause: { code: error.code, status: error.status },
      };
  }
}

function doubtOf({ status }: DesignApiError): RequestProblem['doubt'] {
  if (status === undefined) return 'no_answer';
  return status < 500 ? 'unclear_answer' : 'service_error';
}

/** @param keyFingerprint of the key that was refused: the request waits for another one */
export function waitingForKey(
  { reason }: NotConnectedError,
  keyFingerprint: string | undefined,
): SendOutcome {
  return { state: 'waiting_for_key', problem: { code: reason, keyFingerprint } };
}

export function queuedUntil(retryAt: Date, code: 'busy' | 'unreachable'): SendOutcome {
  return { state: 'queued', retryAt, problem: { code, retryAt: retryAt.getTime() } };
}

function retryAfter(attempts: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LONGEST_RETRY_MS));
}
