import { COMMAND_STOPS, configFromEnvironment, settingsFromEnvironment } from '../config/config.ts';
import { environment } from '../config/settings.ts';
import { LINK_LIFE_DAYS } from '../files/file-links.ts';
import { lockDatabase, migrateDatabase, openMigrated, refuseNewer } from '../store/database.ts';
import { type DatabaseLocation, nameOf } from '../store/database-location.ts';
import { createStores } from '../store/stores.ts';

/** Needs every setting: if one is missing, a release step ends the deployment before the new version starts. */
export async function migrate(): Promise<void> {
  const ran = await migrateAlone(configFromEnvironment(COMMAND_STOPS).database);
  process.stdout.write(`${ran.length > 0 ? `Migrated: ${ran.join(', ')}` : 'Up to date.'}\n`);
}

/** Migrates while no other process uses the SQLite file. @returns which migrations ran */
export async function migrateAlone(database: DatabaseLocation): Promise<string[]> {
  using _lock = await lockDatabase(database);
  return await migrateDatabase(database);
}

export async function rotateKeys(): Promise<void> {
  const needed = environment.pick({ DATABASE_URL: true, ENCRYPTION_KEYS: true });
  const { DATABASE_URL: database, ENCRYPTION_KEYS } = settingsFromEnvironment(needed);
  const { encryptionKeys, lostKeyIds } = ENCRYPTION_KEYS;
  using _lock = await lockDatabase(database);
  await using db = await openMigrated(database);
  await refuseNewer(db, `The database ${nameOf(database)}`);
  const { keyring } = createStores(db, encryptionKeys);
  await keyring.require(lostKeyIds);
  const { resealed, unreadable } = await keyring.reseal();
  const first = encryptionKeys[0]?.id;
  process.stdout.write(`Encrypted ${resealed} API keys or tokens again with "${first}".\n`);
  process.stdout.write(
    unreadable > 0
      ? `${unreadable} can't be decrypted with any key, and were left as they are.\n`
      : `Once this key has been the first one on every replica for ${LINK_LIFE_DAYS} days, you can remove the others: until then, addresses of files are signed with them. Without PUBLIC_URL, remove them at once.\n`,
  );
}
