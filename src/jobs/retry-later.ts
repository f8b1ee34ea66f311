/** Thrown by a job handler that has to wait, as after a 429. Doesn't count as a failed attempt. */
export class RetryLaterError extends Error {
  readonly retryAt: Date;
  constructor(retryAt: Date, options?: ErrorOptions) {
    super('retry later', options);
    this.name = 'RetryLaterError';
    this.retryAt = retryAt;
  }
}
