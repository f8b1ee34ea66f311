import { OperatorError } from '../ops/operator-error.ts';

/** What went wrong, in the words of SQLite or of the file system. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** The database can't be used. The message says what to do. */
export class DatabaseError extends OperatorError {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}
