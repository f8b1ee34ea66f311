import type { IncomingHttpHeaders } from 'node:http';
import { DesignApiError, type DesignApiErrorCode } from '../errors.ts';
import type { ClientContext } from './call.ts';
import { misdirectionOf } from './misdirection.ts';
import { retryMoment } from './rate-limit.ts';
import { readErrorAnswer } from './read-error-answer.ts';

type FailedAnswer = {
  operation: string;
  status: number;
  headers: IncomingHttpHeaders;
  /** Undefined if the body is missing or isn't JSON. */
  json: unknown;
};

/** The meaning of a 4xx status (API reference, section 7). */
export function refusalCode(status: number): DesignApiErrorCode {
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not_found';
  if (status === 408) return 'timed_out';
  if (status === 429) return 'rate_limited';
  return 'invalid_request';
}

/** An error for an unsuccessful answer, with the service's message if it can be read. */
export function answerFailure(
  code: DesignApiErrorCode,
  answer: FailedAnswer,
  { now, redact }: Pick<ClientContext, 'now' | 'redact'>,
): DesignApiError {
  const { location, 'content-type': contentType } = answer.headers;
  const { status } = answer;
  const misdirection = misdirectionOf({
    status,
    location: String(redact(location ?? '')),
    contentType,
  });
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
