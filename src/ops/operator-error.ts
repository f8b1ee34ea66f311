/**
 * Something that an operator can mend. Its message says what and how; a process that ends with it shows
 * the message alone, without a stack trace.
 */
export class OperatorError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
