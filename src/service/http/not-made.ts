import { DesignApiError } from '../errors.ts';

/** For a call that was not made because the budget is used up; to its caller, this looks like a 429. */
export function notAffordable(operation: string, retryAt: Date): DesignApiError {
  return new DesignApiError({
    code: 'rate_limited',
    operation,
    message: `${operation}: not called, because the API key's budget is used up until ${retryAt.toISOString()}`,
    retryAt,
  });
}

/** For a call that can wait and was not made because the breaker is open. */
export function breakerOpen(operation: string, retryAt: Date): DesignApiError {
  return new DesignApiError({
    code: 'unavailable',
    operation,
    message: `${operation}: not called, because the design service keeps failing; will retry from ${retryAt.toISOString()}`,
    retryAt,
  });
}
