import { OperatorError } from '../ops/operator-error.ts';

/** The database can't be used; the message says what to do, without a stack trace's help. */
export class DatabaseError extends OperatorError {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}
