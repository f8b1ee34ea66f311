import { configFromEnvironment } from '../config/config.ts';
import { OperatorError } from '../ops/operator-error.ts';
import { lockDatabase, openMigrated } from '../store/database.ts';
import { requireKeys } from '../store/encryption/keyring.ts';
import { createStores } from '../store/stores.ts';

// Seals everything again with the first key of ENCRYPTION_KEYS, and says whether the others may go. On
// Postgres while the app runs, on SQLite while it is stopped. May be broken off and run again.
try {
  const { database, encryptionKeys, lostKeyIds } = configFromEnvironment();
  const lock = await lockDatabase(database);
  const db = await openMigrated(database);
  try {
    const { keyring } = createStores(db, encryptionKeys);
    await requireKeys(keyring, lostKeyIds);
    const { resealed, unreadable } = await keyring.reseal();
    const first = encryptionKeys[0]?.id;
    process.stdout.write(`Sealed ${resealed} API keys or tokens again with "${first}".\n`);
    process.stdout.write(
      unreadable > 0
        ? `${unreadable} can't be read with any key and stay as they are.\n`
        : 'Once every replica has that key first, the others can be left out.\n',
    );
  } finally {
    await db.destroy();
    lock.release();
  }
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
