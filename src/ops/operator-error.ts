/** A problem that an operator can fix. Its message says how, and is shown without a stack trace. */
export class OperatorError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
