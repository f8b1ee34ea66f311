import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createLog } from '../../src/ops/logging.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openStores } from '../../src/store/open-stores.ts';
import { T1 } from '../workspaces/ids.ts';
import { temporaryFolder } from './sqlite-files.ts';
import { at, encryptionKey } from './stores-under-test.ts';

it('leaves an SQLite file to the next one where its tables can not be brought up to date', async () => {
  const database = { path: join(await temporaryFolder(), 'app.db') };
  const open = () =>
    openStores(
      { database, encryptionKeys: [encryptionKey('k1')], lostKeyIds: [] },
      createLog({ level: 'silent' }),
    );
  // In the way of a table that the first migration makes.
  const before = openDatabase(database);
  await sql`create table hints (something text)`.execute(before);
  await before.destroy();
  await expect(open()).rejects.toThrow('The migration 0001-first-tables failed');

  const after = openDatabase(database);
  await sql`drop table hints`.execute(after);
  await after.destroy();
  const { stores, close } = await open();
  expect(await stores.hints.takeTurn(T1, 'U1', 'connect', at(0))).toBe(true);
  await close();
});
