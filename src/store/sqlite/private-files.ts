import { chmodSync, closeSync, existsSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** Only the app's own user may read and write its files. */
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
/** Any permission of the group and others, and their write permission. */
const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;

/** Creates a folder and its parents. `mkdir`'s own `recursive` never ends below folders such as `/proc/x`. */
export function makePrivateFolder(path: string): void {
  if (existsSync(path)) return;
  makePrivateFolder(dirname(path));
  try {
    mkdirSync(path, { mode: PRIVATE_FOLDER });
  } catch (error) {
    // Another process may have created it.
    if (!existsSync(path)) throw error;
  }
}

export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', PRIVATE_FILE));
  makePrivate(path);
}

/** Removes the permissions of others from a file of ours, if it exists. */
export function makePrivate(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isFile() || (found.mode & OTHERS) === 0) return;
  // Windows has no such permissions, and the file of another user can't be changed.
  if (found.uid === process.getuid?.()) setMode(path);
}

/** Many network and FUSE file systems refuse this even to the owner, because their mount options decide. */
export function setMode(path: string): void {
  try {
    chmodSync(path, PRIVATE_FILE);
  } catch {
    // The app warns at start of files that others can access, and so does the doctor.
  }
}

/** @returns those files that other users can read or write, and those of their folders that they can write to */
export function exposed(files: readonly string[]): string[] {
  if (process.platform === 'win32') return [];
  const isExposed = (path: string, to: number) =>
    ((lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & to) !== 0;
  return [
    ...files.filter((path) => isExposed(path, OTHERS)),
    ...[...new Set(files.map(dirname))].filter((path) => isExposed(path, OTHERS_WRITE)),
  ];
}
