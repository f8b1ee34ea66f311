export type DesignApiErrorCode =
  /** 400, and every other 4xx without its own code. */
  | 'invalid_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  /** A creation never reached the service, so it can be sent again. */
  | 'not_sent'
  /** A creation may or may not have happened; sending it again could create a second card. */
  | 'outcome_unknown'
  | TransientErrorCode;

/** Errors after which the same read may succeed later. */
export type TransientErrorCode = (typeof TRANSIENT)[number];
const TRANSIENT = [
  /** 429, or not called because the budget is used up or too many calls are running. */
  'rate_limited',
  /** A read took too long (also 408), or its caller's signal ended it. */
  'timed_out',
  /** 5xx or a network error on a read, after all retries; or the breaker is open. */
  'unavailable',
  /** The answer to a read couldn't be used. */
  'unreadable_answer',
] as const;

export type TransientError = DesignApiError & { readonly code: TransientErrorCode };
export const isTransient = (error: unknown): error is TransientError =>
  error instanceof DesignApiError && TRANSIENT.some((code) => code === error.code);

/** Can be logged: without API key, request body, complete answer, or anything of the HTTP library. */
export class DesignApiError extends Error {
  override readonly name = 'DesignApiError';
  readonly code!: DesignApiErrorCode;
  readonly operation!: string;
  readonly status?: number | undefined;
  /** Messages by field name, from the service's `details` (API reference, section 7), truncated. */
  readonly details?: Record<string, string> | undefined;
  /** The earliest time for a retry: with `rate_limited`, and if the call was not made. */
  readonly retryAt?: Date | undefined;
  /** The service's `message`, truncated. */
  readonly serviceMessage?: string | undefined;
  /** What the answer shows of a wrong base URL. */
  readonly misdirection?: string | undefined;

  /** @param failure.cause a short code such as `ECONNRESET`, never an object */
  constructor({
    message,
    cause,
    ...properties
  }: Omit<DesignApiError, 'name' | 'stack' | 'cause'> & { cause?: string | undefined }) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, properties);
  }
}

const NOT_MADE = {
  no_budget: { code: 'rate_limited', because: "the API key's budget is used up" },
  no_slot: { code: 'rate_limited', because: 'too many calls with the API key are running' },
  breaker_open: { code: 'unavailable', because: 'the design service keeps failing' },
} as const;
export type ReasonNotMade = keyof typeof NOT_MADE;

/** For a call that was not made: to its caller, a 429 or a failure of the service. */
export function notMade(cause: ReasonNotMade, operation: string, retryAt: Date): DesignApiError {
  const { code, because } = NOT_MADE[cause];
  const message = `${operation}: not called until ${retryAt.toISOString()}, because ${because}`;
  return new DesignApiError({ code, cause, operation, message, retryAt });
}
