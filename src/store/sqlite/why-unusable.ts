/** By error code of the system, why a file can't be used. */
const REASONS: Record<string, (path: string) => string> = {
  EACCES: (path) => `this user may not access ${path}`,
  EPERM: (path) => `this user may not change ${path}`,
  EISDIR: (path) => `${path} is a folder`,
  ENOTDIR: (path) => `a part of ${path} is a file, not a folder`,
  ENOENT: (path) => `${path} doesn't exist and can't be created`,
  ELOOP: (path) => `${path} is a link that leads to itself`,
  EROFS: (path) => `${path} is on a read-only disk`,
  ENOSPC: () => 'the disk is full',
};

/** Why a file can't be used, in words that an operator can act on; otherwise the error's own message. */
export function whyUnusable(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, path }: NodeJS.ErrnoException = error;
  const explain = code === undefined ? undefined : REASONS[code];
  return explain && path !== undefined ? explain(path) : error.message;
}
