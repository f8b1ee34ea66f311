import { chmodSync, closeSync, existsSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** Only the user that the app runs as may read and write what it stores. */
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
/** What a group and everybody else may do to a file, and that they may write. */
const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;

/**
 * Creates a folder and those above it, as far as they don't exist. Those that exist keep their mode.
 *
 * Not by `mkdir`'s own `recursive`: where the system denies that an existing folder exists, as for
 * `/proc/x`, it tries again forever.
 */
export function makePrivateFolder(path: string): void {
  if (existsSync(path)) return;
  makePrivateFolder(dirname(path));
  try {
    mkdirSync(path, { mode: PRIVATE_FOLDER });
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(path)) throw error;
  }
}

/** Creates a file that doesn't exist, and takes others' rights from one that does and is ours. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', PRIVATE_FILE));
  makePrivate(path);
}

/** Takes the rights of others from a file of ours, if it exists. */
export function makePrivate(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isFile() || (found.mode & OTHERS) === 0) return;
  // Windows has no such rights; a file of somebody else's can't be changed.
  if (found.uid === process.getuid?.()) chmodSync(path, PRIVATE_FILE);
}

/**
 * Which of these files other users can read or write, and which of their folders they can write to, which
 * lets them replace a file.
 */
export function exposed(files: readonly string[]): string[] {
  if (process.platform === 'win32') return [];
  const isExposed = (path: string, to: number) =>
    ((lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & to) !== 0;
  return [
    ...files.filter((path) => isExposed(path, OTHERS)),
    ...[...new Set(files.map(dirname))].filter((path) => isExposed(path, OTHERS_WRITE)),
  ];
}
