import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createLog } from '../../src/ops/logging.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openStores } from '../../src/store/open-stores.ts';
import { takeProcessLock } from '../../src/store/sqlite/process-lock.ts';
import { temporaryFolder } from './sqlite-files.ts';
import { encryptionKey } from './stores-under-test.ts';

it('releases an SQLite file if its tables can’t be migrated', async () => {
  const folder = await temporaryFolder();
  const database = { path: join(folder, 'app.db') };
  const open = () =>
    openStores(
      { database, encryptionKeys: [encryptionKey('k1')], lostKeyIds: [] },
      createLog({ level: 'silent' }),
    );
  // Conflicts with a table that the first migration creates.
  const before = openDatabase(database);
  await sql`create table hints (something text)`.execute(before);
  await before.destroy();
  await expect(open()).rejects.toThrow('The migration 0001-first-tables failed');
  const lock = await takeProcessLock(database.path, { waitMs: 0 });
  expect(lock).toBeDefined();
  lock?.release();
  // An open connection would have left its log beside the file.
  expect(await readdir(folder)).not.toContain('app.db-wal');
});
