/** Thrown by work that must wait until a moment, such as after a 429; it does not count as a failure. */
export class RetryLaterError extends Error {
  readonly retryAt: Date;
  constructor(retryAt: Date, options?: ErrorOptions) {
    super('to be tried again later', options);
    this.name = 'RetryLaterError';
    this.retryAt = retryAt;
  }
}
