import { OperatorError } from '../ops/operator-error.ts';

/** The database can't be used. The message says what to do. */
export class DatabaseError extends OperatorError {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}
