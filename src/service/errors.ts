/**
 * What went wrong, as a closed set:
 * - `invalid_request`: refused (400 and every other 4xx without a code of its own)
 * - `unauthorized`, `forbidden`, `not_found`: 401, 403, 404
 * - `rate_limited`: 429, or not called since the key has no call left; `retryAt` says when to come back
 * - `unavailable`: 5xx or a network fault on a read, after all retries; or not called since the service
 *   is unwell, with `retryAt`
 * - `timed_out`: a read took too long (also 408), or its caller's signal ended it
 * - `unreadable_answer`: a read was answered with something that is no usable answer
 * - `not_sent`: a creation never reached the service and may be sent again
 * - `outcome_unknown`: a creation may or may not have happened; sending it again could order twice
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

/** Of these, a read that failed may work when it is tried again later. */
export type PassingErrorCode = 'rate_limited' | 'timed_out' | 'unavailable' | 'unreadable_answer';
const PASSING: ReadonlySet<DesignApiErrorCode> = new Set<PassingErrorCode>([
  'rate_limited',
  'timed_out',
  'unavailable',
  'unreadable_answer',
]);

/** Whether reading the same may work later. */
export const isPassing = (error: unknown): error is PassingError =>
  error instanceof DesignApiError && PASSING.has(error.code);
export type PassingError = DesignApiError & { readonly code: PassingErrorCode };

/** What a `DesignApiError` is made of. `cause` is a short code such as `ECONNRESET`, never an object. */
export type DesignApiFailure = {
  code: DesignApiErrorCode;
  /** The client's method, such as `getCard`. */
  operation: string;
  message: string;
  /** HTTP status of the answer, where there was one. */
  status?: number | undefined;
  /** Field name → text, from the service's `details` (api.md, section 7); clipped. */
  details?: Record<string, string> | undefined;
  /** Earliest moment for another try: with `rate_limited`, and where the call was not made. */
  retryAt?: Date | undefined;
  /** The service's own `message`, clipped. */
  serviceMessage?: string | undefined;
  cause?: string | undefined;
};

/**
 * The only error that the client's operations reject with. Holds no API key, no request body, no whole
 * answer, and nothing of the HTTP library, so it can be logged as it is.
 */
export class DesignApiError extends Error {
  override readonly name = 'DesignApiError';
  readonly code: DesignApiErrorCode;
  readonly operation: string;
  readonly status?: number | undefined;
  readonly details?: Record<string, string> | undefined;
  readonly retryAt?: Date | undefined;
  readonly serviceMessage?: string | undefined;

  constructor(failure: DesignApiFailure) {
    super(failure.message, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.code = failure.code;
    this.operation = failure.operation;
    this.status = failure.status;
    this.details = failure.details;
    this.retryAt = failure.retryAt;
    this.serviceMessage = failure.serviceMessage;
  }
}
