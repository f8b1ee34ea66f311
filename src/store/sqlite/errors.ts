/** SQLITE_BUSY (https://sqlite.org/rescode.html#busy). Extended codes differ only above the lowest byte. */
const SQLITE_BUSY = 5;
const PRIMARY_CODE = 0xff;

/** SQLite's code of an error; undefined for any other error. */
export const sqliteCodeOf = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & PRIMARY_CODE
    : undefined;

/** Whether SQLite failed because another process has locked the file. */
export const isLocked = (error: unknown): boolean => sqliteCodeOf(error) === SQLITE_BUSY;
