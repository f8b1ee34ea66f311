import { onTestFinished } from 'vitest';
import type { EncryptionKey } from '../../src/config/keyring.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { createStores, type Stores } from '../../src/store/stores.ts';
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

const HOUR_MS = 3_600_000;

/** The same, where a process that claims jobs dies right after. */
export const claimingAndDying = (stores: Stores): Stores => ({
  ...stores,
  jobTable: {
    ...stores.jobTable,
    async claim(now, atMost) {
      await stores.replicas.renew(HOUR_MS);
      const claimed = await stores.jobTable.claim(now, atMost);
      await stores.replicas.leave();
      return claimed;
    },
  },
});

export async function openClaimingStores(
  ...which: Parameters<typeof openPostgresStores>
): Promise<StoresUnderTest & { url: string }> {
  const opened = await openPostgresStores(...which);
  return {
    ...opened,
    stores: claimingAndDying(opened.stores),
    openAgain: async (keyring) => claimingAndDying(await opened.openAgain(keyring)),
  };
}
