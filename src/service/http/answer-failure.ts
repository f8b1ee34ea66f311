import { DesignApiError, type DesignApiErrorCode } from '../errors.ts';
import type { Answer, ClientContext } from './call.ts';
import { misdirectionOf } from './misdirection.ts';
import { retryMoment } from './rate-limit.ts';
import { readErrorAnswer } from './read-error-answer.ts';

type FailedAnswer = Omit<Answer, 'kind'> & {
  operation: string;
  /** Whether the service always has what was asked for. */
  exists?: boolean | undefined;
};

/** The meaning of a 4xx status (API reference, section 7). */
export function refusalCode(status: number): DesignApiErrorCode {
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  if (status === 404 || status === 410) return 'not_found';
  if (status === 408) return 'timed_out';
  if (status === 429) return 'rate_limited';
  return 'invalid_request';
}

/**
 * An error for an unsuccessful answer, with the service's message if it can be read.
 *
 * @param meaning.own what the answer means if it is the service's
 * @param meaning.other what it means if it is someone else's, such as a proxy's page
 */
export function answerFailure(
  meaning: { own: DesignApiErrorCode; other: DesignApiErrorCode },
  answer: FailedAnswer,
  { now, redact }: Pick<ClientContext, 'now' | 'redact'>,
): DesignApiError {
  const { status } = answer;
  const location = String(redact(answer.headers.location ?? ''));
  const misdirection = misdirectionOf({ ...answer, location });
  const code = misdirection ? meaning.other : meaning.own;
  return new DesignApiError({
    code,
    operation: answer.operation,
    message: `${answer.operation}: the design service answered ${misdirection ?? status} (${code})`,
    status,
    misdirection,
    retryAt: code === 'rate_limited' ? retryMoment(answer.headers, now()) : undefined,
    // A copy: a slice of a string would keep the whole answer in memory for as long as the error lives.
    ...structuredClone(readErrorAnswer(answer.json)),
  });
}
