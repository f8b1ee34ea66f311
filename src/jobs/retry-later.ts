/** Thrown by a job handler that has to wait, for example after a 429. It doesn't count as a failed attempt. */
export class RetryLaterError extends Error {
  readonly retryAt: Date;
  constructor(retryAt: Date, options?: ErrorOptions) {
    super('retry later', options);
    this.name = 'RetryLaterError';
    this.retryAt = retryAt;
  }
}
