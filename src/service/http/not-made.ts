import { DesignApiError } from '../errors.ts';

/** A call that was not made for want of budget; to its caller it is as if the service had answered 429. */
export function notAffordable(operation: string, retryAt: Date): DesignApiError {
  return new DesignApiError({
    code: 'rate_limited',
    operation,
    message: `${operation}: not called, since the API key has no call left for it before ${retryAt.toISOString()}`,
    retryAt,
  });
}

/** A call that was not made since the service is unwell and the call can wait. */
export function spared(operation: string, retryAt: Date): DesignApiError {
  return new DesignApiError({
    code: 'unavailable',
    operation,
    message: `${operation}: not called, since the design service is unwell; asked again from ${retryAt.toISOString()}`,
    retryAt,
  });
}
