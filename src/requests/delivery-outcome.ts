import { DesignApiError } from '../service/errors.ts';
import { NotConnectedError } from '../service/service-access.ts';
import type { RequestProblem, RequestState } from './request.ts';

/** What came of sending a request, or of not being able to. */
export type Outcome = {
  state: RequestState;
  problem?: RequestProblem;
  cardId?: string | undefined;
  retryAt?: Date;
};

export const IN_DOUBT: Outcome = { state: 'in_doubt', problem: { code: 'outcome_unknown' } };

/** Waits between tries while the service can't be reached: doubled each time, in ms. */
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 5 * 60_000;

/**
 * What it means for a request that it could not be sent, or was not taken.
 *
 * @param tried.attempts how often it was sent, this time included
 * @returns undefined where the error is none of those that sending rejects with
 */
export function outcomeOfError(
  error: unknown,
  tried: { keyFingerprint: string | undefined; attempts: number; now: Date },
): Outcome | undefined {
  if (error instanceof NotConnectedError) return withoutKey(error, tried.keyFingerprint);
  return error instanceof DesignApiError ? outcomeOf(error, tried) : undefined;
}

/** What an error of `createCard` means for the request. */
function outcomeOf(
  error: DesignApiError,
  tried: { keyFingerprint: string | undefined; attempts: number; now: Date },
): Outcome {
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
      return later('busy', error.retryAt ?? retryAfter(attempts, now));
    case 'not_sent':
      return later('unreachable', retryAfter(attempts, now));
    case 'outcome_unknown':
    case 'timed_out':
    case 'unavailable':
    case 'unreadable_answer':
      return IN_DOUBT;
  }
}

/** It waits for another key than this one. */
export function withoutKey(
  { reason }: NotConnectedError,
  keyFingerprint: string | undefined,
): Outcome {
  return { state: 'waiting_for_key', problem: { code: reason, keyFingerprint } };
}

/** It is queued, to be sent at a moment. */
export function later(code: 'busy' | 'unreachable', retryAt: Date): Outcome {
  return { state: 'queued', retryAt, problem: { code, retryAt: retryAt.getTime() } };
}

function retryAfter(attempts: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LONGEST_RETRY_MS));
}
