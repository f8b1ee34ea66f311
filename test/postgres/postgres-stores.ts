import { onTestFinished } from 'vitest';
import type { EncryptionKey } from '../../src/config/keyring.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { createStores } from '../../src/store/stores.ts';
import { encryptionKey, logTo, type StoresUnderTest } from '../store/stores-under-test.ts';
import { databaseForTest } from './database-for-test.ts';

/** Opens a database as the app does; it is closed when the test ends. */
export function openForTest(url: string): Database {
  const db = openDatabase({ url });
  onTestFinished(() => db.destroy());
  return db;
}

export const openPostgresStores = async (
  keyring: readonly EncryptionKey[] = [encryptionKey('k1')],
  template?: string,
): Promise<StoresUnderTest & { url: string }> => {
  const url = await databaseForTest({ isMigrated: true, ...(template ? { template } : {}) });
  const db = openForTest(url);
  const logLines: string[] = [];
  return {
    db,
    url,
    stores: createStores(db, keyring, logTo(logLines)),
    logLines,
    openAgain: async (other: readonly EncryptionKey[] = keyring) =>
      createStores(openForTest(url), other),
  };
};
