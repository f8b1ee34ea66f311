import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { EncryptionKey } from '../../src/config/keyring.ts';
import { createLog } from '../../src/ops/logging.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { openStores } from '../../src/store/open-stores.ts';
import { createStores } from '../../src/store/stores.ts';
import { makeMigratedFile } from './migrated-file.ts';
import { encryptionKey, logTo, type StoresUnderTest } from './stores-under-test.ts';

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'design-request-store-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Opens a file as the app does; it is closed when the test ends. */
export function openForTest(path: string): Database {
  const db = openDatabase({ path });
  onTestFinished(() => db.destroy());
  return db;
}

/** Opens a file, and closes it if that fails, as the app does when it starts. */
export const startOn = (path: string, log = createLog({ level: 'silent' })) =>
  openStores({ database: { path }, encryptionKeys: [encryptionKey('k1')], lostKeyIds: [] }, log);

/** Everything in a folder, as bytes: the database, its log, and its index. */
export async function bytesIn(folder: string): Promise<Buffer> {
  const names = await readdir(folder);
  return Buffer.concat(await Promise.all(names.map((name) => readFile(join(folder, name)))));
}

/** A fresh, migrated SQLite file. */
export async function temporaryDatabase() {
  const folder = await temporaryFolder();
  const path = join(folder, 'test.db');
  await makeMigratedFile(path);
  return { db: openForTest(path), path, folder };
}

export const openSqliteStores = async (
  keyring: readonly EncryptionKey[] = [encryptionKey('k1')],
): Promise<StoresUnderTest & { path: string }> => {
  const { db, path } = await temporaryDatabase();
  const logLines: string[] = [];
  return {
    db,
    path,
    stores: createStores(db, keyring, logTo(logLines)),
    logLines,
    openAgain: async (other: readonly EncryptionKey[] = keyring) =>
      createStores(openForTest(path), other),
  };
};
