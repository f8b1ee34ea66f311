/** SQLITE_BUSY (https://sqlite.org/rescode.html#busy); its variants differ above the lowest byte. */
const SQLITE_BUSY = 5;
const PRIMARY_CODE = 0xff;

/** The database was in other hands for longer than anybody waits for it. */
export class DatabaseBusyError extends Error {
  constructor(options?: ErrorOptions) {
    super('the database is locked', options);
    this.name = 'DatabaseBusyError';
  }
}

/** Whether SQLite refused because somebody else holds the file's lock. */
export function isLocked(error: unknown): boolean {
  return (
    error instanceof Error &&
    'errcode' in error &&
    typeof error.errcode === 'number' &&
    (error.errcode & PRIMARY_CODE) === SQLITE_BUSY
  );
}
