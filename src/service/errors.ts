/**
 * - `invalid_request`: 400, and every other 4xx without its own code
 * - `unauthorized`, `forbidden`, `not_found`: 401, 403, 404
 * - `rate_limited`: 429, or not called because the budget is used up; `retryAt` says when to try again
 * - `unavailable`: 5xx or a network error on a read, after all retries; or not called because the breaker is
 *   open, with `retryAt`
 * - `timed_out`: a read took too long (also 408), or its caller's signal ended it
 * - `unreadable_answer`: the answer to a read couldn't be used
 * - `not_sent`: a creation never reached the service, so it can be sent again
 * - `outcome_unknown`: a creation may or may not have happened; sending it again could create a second card
 */
export type DesignApiErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'rate_limited'
  | 'unavailable'
  | 'timed_out'
  | 'unreadable_answer'
  | 'not_sent'
  | 'outcome_unknown';

/** Errors after which the same read may succeed later. */
export type PassingErrorCode = 'rate_limited' | 'timed_out' | 'unavailable' | 'unreadable_answer';
const PASSING: ReadonlySet<DesignApiErrorCode> = new Set<PassingErrorCode>([
  'rate_limited',
  'timed_out',
  'unavailable',
  'unreadable_answer',
]);

export const isPassing = (error: unknown): error is PassingError =>
  error instanceof DesignApiError && PASSING.has(error.code);
export type PassingError = DesignApiError & { readonly code: PassingErrorCode };

/** The properties of a `DesignApiError`. `cause` is a short code such as `ECONNRESET`, never an object. */
export type DesignApiFailure = {
  code: DesignApiErrorCode;
  /** The client's method, such as `getCard`. */
  operation: string;
  message: string;
  /** HTTP status, if there was an answer. */
  status?: number | undefined;
  /** Messages by field name, from the service's `details` (API reference, section 7), truncated. */
  details?: Record<string, string> | undefined;
  /** The earliest time for a retry: with `rate_limited`, and if the call was not made. */
  retryAt?: Date | undefined;
  /** The service's `message`, truncated. */
  serviceMessage?: string | undefined;
  /** What the answer shows of a wrong base URL. */
  misdirection?: string | undefined;
  cause?: string | undefined;
};

/**
 * The only error of the client's operations. It contains no API key, no request body, no complete answer, and
 * nothing from the HTTP library, so it can be logged.
 */
export class DesignApiError extends Error {
  override readonly name = 'DesignApiError';
  readonly code: DesignApiErrorCode;
  readonly operation: string;
  readonly status?: number | undefined;
  readonly details?: Record<string, string> | undefined;
  readonly retryAt?: Date | undefined;
  readonly serviceMessage?: string | undefined;
  readonly misdirection?: string | undefined;

  constructor(failure: DesignApiFailure) {
    super(failure.message, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.code = failure.code;
    this.operation = failure.operation;
    this.status = failure.status;
    this.details = failure.details;
    this.retryAt = failure.retryAt;
    this.serviceMessage = failure.serviceMessage;
    this.misdirection = failure.misdirection;
  }
}
