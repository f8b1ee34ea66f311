import { OperatorError } from '../ops/operator-error.ts';

export type DatabaseLocation = { path: string } | { url: string };

export const isPostgres = (location: DatabaseLocation): location is { url: string } =>
  'url' in location;

/** For messages: only the host, port, and name of a URL, without credentials. */
export function nameOf(location: DatabaseLocation): string {
  if (!isPostgres(location)) return location.path;
  const { host, pathname, searchParams } = new URL(location.url);
  return `${searchParams.get('host') ?? decodeURIComponent(host)}${pathname}`;
}

/** What went wrong, in the words of SQLite or of the file system. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** The database can't be used. The message says what to do. */
export class DatabaseError extends OperatorError {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}
